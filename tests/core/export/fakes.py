"""Invented secrets of every shape, put together here so that no scanner of sources takes them for real ones."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import dataclass

LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"


@dataclass(frozen=True)
class Fake:
    """A secret, and a text that shows it; `text` holds `secret` once."""

    text: str
    secret: str


def chance(rng: random.Random, length: int, signs: str = LETTERS) -> str:
    """Random characters, among them a digit and a capital."""
    return "7Q" + "".join(rng.choices(signs, k=length - 2))


def after(prefix: str, length: int, signs: str = LETTERS, before: str = "", behind: str = "") -> Callable[..., Fake]:
    """A token behind its prefix, the whole of it secret."""

    def make(rng: random.Random) -> Fake:
        secret = prefix + chance(rng, length, signs)
        return Fake(before + secret + behind, secret)

    return make


def inside(before: str, length: int, behind: str = "", signs: str = LETTERS) -> Callable[..., Fake]:
    """A secret that only its surroundings tell."""

    def make(rng: random.Random) -> Fake:
        secret = chance(rng, length, signs)
        return Fake(before + secret + behind, secret)

    return make


def key_lines(rng: random.Random, lines: int) -> list[str]:
    return [chance(rng, 64, LETTERS + "+/") for _ in range(lines)]


def key_block(kind: str = "RSA ", join: str = "\n", prefix: str = "") -> Callable[..., Fake]:
    """A private key; what is secret is a line in its middle."""

    def make(rng: random.Random) -> Fake:
        lines = key_lines(rng, 12)
        edge = "-" * 5
        block = [f"{edge}BEGIN {kind}PRIVATE KEY{edge}", *lines, "aB3=", f"{edge}END {kind}PRIVATE KEY{edge}"]
        return Fake(join.join(prefix + line for line in block), lines[6])

    return make


def jwt(rng: random.Random) -> Fake:
    head = "eyJ" + chance(rng, 30)
    secret = ".".join([head, "eyJ" + chance(rng, 60), chance(rng, 43, LETTERS + "-_")])
    return Fake(secret, secret)


def aws_pair(rng: random.Random) -> Fake:
    secret = chance(rng, 40, LETTERS + "/+")
    return Fake("AKIA" + chance(rng, 16, UPPER) + "," + secret, secret)


FAKES: dict[str, list[Callable[[random.Random], Fake]]] = {
    "private-key": [
        key_block(),
        key_block(""),
        key_block("OPENSSH "),
        key_block(join="\\n"),
        key_block(prefix="> "),
        key_block(prefix="   12\t"),
    ],
    "aws-key-id": [after("AKIA", 16, UPPER), after("ASIA", 16, UPPER, before="id: ")],
    "aws-secret-key": [
        aws_pair,
        inside("aws_secret_access_key = ", 40, signs=LETTERS + "/+"),
        inside('"SecretAccessKey": "', 40, '"', signs=LETTERS + "/+"),
        inside("Secret access key:\n    ", 40, signs=LETTERS + "/+"),
    ],
    "github-token": [
        *(after(f"gh{kind}_", 36) for kind in "pousr"),
        after("github_pat_", 82, LETTERS + "_"),
        after("ghp_", 36, before="https://x-access-token:", behind="@github.com/a/b"),
    ],
    "gitlab-token": [after(f"gl{kind}-", 20, LETTERS + "_-") for kind in ("pat", "dt", "rt", "cbt", "ptt", "ft")],
    "slack-token": [
        *(after(f"xox{kind}-", 40, LETTERS + "-") for kind in "abpres"),
        after("xapp-1-", 60, LETTERS + "-"),
        after("hooks.slack.com/services/", 44, UPPER + "/", before="https://"),
    ],
    "anthropic-key": [after("sk-ant-api03-", 80, LETTERS + "_-")],
    "openai-key": [
        after("sk-", 48),
        after("sk-proj-", 100, LETTERS + "_-"),
        after("sk-svcacct-", 60, LETTERS + "_-"),
        after("sk-or-v1-", 64, HEX),
    ],
    "google-key": [after("AIza", 35, LETTERS + "_-"), after("ya29.", 60, LETTERS + "_-"), after("GOCSPX-", 28)],
    "npm-token": [after("npm_", 36)],
    "huggingface-token": [after("hf_", 34), after("hf_", 37), after("api_org_", 34)],
    "pypi-token": [after("pypi-Ag", 120, LETTERS + "_-")],
    "stripe-key": [
        *(after(prefix + "_", 24) for prefix in ("sk_live", "sk_test", "rk_live", "rk_test")),
        after("whsec_", 32),
    ],
    "jwt": [jwt],
    "authorization-header": [
        inside("Authorization: Bearer ", 20),
        inside("curl -H 'authorization: token ", 20, "' https://x.invalid"),
        inside('{"Authorization": "Basic ', 24, '"}'),
        inside("Bearer ", 32),
        inside('{\\"Authorization\\":\\"Bearer ', 24, '\\"}'),
    ],
    "url-password": [
        inside("postgres://demo:", 11, "@db.invalid/x"),
        inside("redis://:", 11, "@cache.invalid:6379"),
        inside("https://me:", 12, "@host.invalid", signs=LETTERS + "@"),
        inside("https://", 30, "@host.invalid/x"),
    ],
    "secret-value": [
        inside("DB_PASSWORD=", 9, signs=LETTERS + "@;&!("),
        inside("export API_TOKEN=", 16, " && ls"),
        inside('api_key: "', 24, '"'),
        inside('{"client_secret":"', 24, '"}'),
        inside('{\\"apiKey\\":\\"', 24, '\\"}'),
        inside('const authToken = "', 20, '"'),
        inside("password: str = '", 10, "'"),
        inside("deploy --token ", 20, " --yes"),
        inside("<password>", 10, "</password>"),
        inside("https://x.invalid/?access_token=", 30, "&user=1"),
        inside("X-Api-Key: ", 32, signs=HEX),
        inside("AccountKey=", 40, ";EndpointSuffix", signs=LETTERS + "+/"),
    ],
}
"""Fakes by the rule that has to find them."""


def fakes(seed: int = 1) -> list[tuple[str, Fake]]:
    """One fake of every shape."""
    rng = random.Random(seed)
    return [(rule, make(rng)) for rule, makers in FAKES.items() for make in makers]
