"""Every rule finds the shapes it is for, and leaves alone what only looks a little like them."""

from __future__ import annotations

import random
import string

import pytest

from tests.core.export.fakes import FAKES, Fake, chance, fakes
from unspool.export.redaction import EMAIL, RULES, Redactor

AROUND = (
    ("", ""),
    ("before ", " behind"),
    ("line\n", "\nline"),
    ("x=", "\n"),
    ('"', '"'),
    ("\\n", "\\n"),
    ("\x1b[31m", "\x1b[0m"),
    ("\\u001b[1;31m", "\\u001b[0m"),
    ("(", ")."),
)
"""What may stand around a secret without hiding it."""

RANDOM = "zX9" * 12
ORDINARY = {
    "private-key": [
        "if '-----BEGIN PRIVATE KEY-----' in text and '-----END PRIVATE KEY-----' in text: found()",
        "-----BEGIN PUBLIC KEY-----\n" + RANDOM * 2 + "\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + RANDOM * 2 + "\n-----END CERTIFICATE-----",
    ],
    "aws-key-id": ["AKIA is a prefix", "AKIA" + "A" * 20, "MAKIAVELLI1234567890", "AKIA" + "A" * 16 + "b"],
    "aws-secret-key": ["secret_key: " + "a" * 39 + ".", "secret access keys are long"],
    "github-token": ["ghp_ is a prefix", "ghs_short.", "the github_pat_ prefix"],
    "gitlab-token": ["glpat-short here", "gl-" + RANDOM],
    "slack-token": ["xoxo-kisses and more", "xapp-short thing"],
    "anthropic-key": ["sk-ant- is a prefix"],
    "openai-key": ["scikit: sk-learn-contrib-examples-everywhere is fine", "task-" + RANDOM, "disk-" + "0a" * 16],
    "google-key": ["AIza is a prefix", "xAIza" + RANDOM],
    "npm-token": ["npm_config_registry=https://registry.invalid", "npm_lifecycle_event"],
    "huggingface-token": ["hf_hub_download(repo_id=name)", "xhf_" + RANDOM, "hf_ is a prefix", "api_org_name"],
    "pypi-token": ["pypi-publish-action", "pypi-Ag short"],
    "stripe-key": ["sk_live_ is a prefix", "pk_live_" + RANDOM, "sk_test_mode on"],
    "jwt": ["eyJ is base64 of a brace", "eyJ.a.b and", "data:image/png;base64,eyJ" + RANDOM + " end"],
    "authorization-header": [
        "Authorization: Bearer $TOKEN",
        'headers = {"Authorization": f"Bearer {token}"}',
        "use a bearer token for authorization",
        "Authorization: headers.Authorization",
        "bearer authentication is required here",
    ],
    "url-password": [
        "https://user@host.invalid/x",
        "git clone ssh://git@github.com/a/b",
        "https://host.invalid:8080/@scope/pkg@1.0",
        "postgres://$USER:$PASSWORD@db/x",
        "postgres://user:<password>@db/x",
        "https://registry.invalid/@types/node",
    ],
    "secret-value": [
        "token = tokenizer.next_token()",
        "max_tokens: 8192",
        "MAX_TOKENS=200000",
        "password: hashedPassword,",
        "password: z.string().min(8)",
        'password: "Please enter your new password 2"',
        "API_KEY=${API_KEY}",
        "TOKEN=$(gh auth token)",
        "PWD=/home/x/y1",
        'token_type: "Bearer0123456"',
        'secretName: "prod-db-credentials-01"',
        '"secret": "my-secret-name-2"',
        "PASSWORD_FILE=/run/secrets/db1",
        "tokenizer: cl100k_base_0123456789ab",
        "secretary: 12345678901a3b4c5d",
        "if token == other.token2: pass",
        "deploy --password-stdin registry.example.com",
        "the token " + RANDOM,
        "password: ********",
        '"error.password": "密码已安全存储在密钥环中"',
    ],
}
"""What each rule must not take for a secret."""


def test_every_rule_has_fakes_and_ordinary_texts() -> None:
    names = [rule.name for rule in RULES]
    assert sorted(names) == sorted(FAKES) == sorted(ORDINARY)


@pytest.mark.parametrize(("rule", "fake"), fakes(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_secret_is_replaced_under_the_name_of_its_rule(rule: str, fake: Fake) -> None:
    redactor = Redactor()
    shown = redactor.text(fake.text)
    assert fake.secret not in shown
    assert f"[redacted: {rule}]" in shown
    assert redactor.counts[rule] == 1


@pytest.mark.parametrize("around", AROUND)
def test_what_stands_around_a_secret_does_not_hide_it(around: tuple[str, str]) -> None:
    for rule, fake in fakes(2):
        text = f"{around[0]}{fake.text}{around[1]}"
        assert fake.secret not in Redactor().text(text), (rule, text)


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in ORDINARY.items() for text in texts])
def test_ordinary_text_is_left_alone(rule: str, text: str) -> None:
    for around in ("", "\n"):
        assert Redactor().text(around + text + " etc") == around + text + " etc"


def test_what_was_redacted_is_not_redacted_again() -> None:
    for rule, fake in fakes(3):
        once = Redactor().text(fake.text)
        assert Redactor().text(once) == once, rule


def test_no_secret_is_found_in_ids_of_sessions_and_calls() -> None:
    rng = random.Random(4)
    for prefix in ("toolu_01", "call_", "msg_", "req_", "fc_", "rs_", "rollout-2026-01-01T10-00-00-"):
        text = prefix + "".join(rng.choices(string.ascii_letters + string.digits, k=22))
        assert Redactor().text(f'"id": "{text}"') == f'"id": "{text}"'


def test_a_key_whose_end_is_not_there_is_replaced_to_its_last_line() -> None:
    lines = [chance(random.Random(5), 64) for _ in range(5)]
    shown = Redactor().text("-----BEGIN " + "PRIVATE KEY-----\n" + "\n".join(lines) + "\n\nThen it said so.")
    assert shown == "[redacted: private-key]\n\nThen it said so."


def test_a_key_whose_beginning_is_not_there_is_replaced_from_its_first_line() -> None:
    lines = [chance(random.Random(6), 64) for _ in range(5)]
    shown = Redactor().text("$ tail key.pem\n" + "\n".join(lines) + "\naB3=\n-----END " + "RSA PRIVATE KEY-----\nok")
    assert shown == "$ tail key.pem\n[redacted: private-key]\nok"


def test_mail_addresses_are_redacted_only_on_request() -> None:
    text = "Write to mira.k+x@mail.example.com, not to @mira or a@b"
    assert Redactor().text(text) == text
    assert Redactor([EMAIL]).text(text) == "Write to [redacted: e-mail], not to @mira or a@b"
