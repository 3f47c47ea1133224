"""Tokens that say themselves what they are, by the letters they begin with or by the word before them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from unspool.export.shape import Shape, Shapes, Span, is_cut, is_free, is_random, token

_GAP = r"""(?:\\[nrt]|[\s:=,;>|"'\\\]])"""
"""What stands between a name and its value, in code, JSON, tables and command lines."""

_AWS_SECRET: Final = 40
_SHORTEST_SEGMENT: Final = 10
"""Characters of the first two segments of a JWT: `{"alg":1}` takes more."""
_SHORTEST_HEADER: Final = 8
_BARE_BEARER: Final = 16
_HEADER_CHARACTERS: Final = 48
"""How far before `Bearer` the name of its header may stand."""
_USER_TOKEN: Final = 20
"""Characters from which on the user of a URL without a password is taken for a token."""


def _shape(anchor: str, pattern: str, judge: Callable[[re.Match[str]], Span | None], *, folded: bool = False) -> Shape:
    return Shape(anchor, re.compile(pattern, re.IGNORECASE if folded else 0), judge, folded)


def _aws_key_id(match: re.Match[str]) -> Span | None:
    behind = match.string[match.end() : match.end() + 1]
    return None if behind.isascii() and behind.isalnum() else token(16, free=True, exact=True)(match)


def _aws_secret(match: re.Match[str]) -> Span | None:
    start, stop = match.span("run")
    long = stop - start == _AWS_SECRET
    cut = stop - start < _AWS_SECRET and is_cut(match.string, stop) and is_random(match["run"])
    return (start, stop) if long or cut else None


def _openai(match: re.Match[str]) -> Span | None:
    run = match["run"]
    random = any(len(part) >= 16 and not part.isalpha() for part in re.split("[-_]", run))
    named = run.startswith(("proj-", "svcacct-", "admin-", "or-")) and not run.islower()
    return token(20, free=True)(match) if random or named or len(run) < 20 else None


def _jwt(match: re.Match[str]) -> Span | None:
    if not is_free(match.string, match.start()):
        return None
    head, *rest = match[0].split(".")
    whole = len(rest) >= 2 or (bool(rest) and rest[0].startswith("eyJ"))
    if whole and len(head) >= _SHORTEST_SEGMENT and len(rest[0]) >= _SHORTEST_SEGMENT:
        return match.span()
    return match.span() if is_cut(match.string, match.end()) and len(match[0]) > _SHORTEST_SEGMENT else None


def _bearer(match: re.Match[str]) -> Span | None:
    run, start = match["run"], match.start()
    named = "authorization" in match.string[max(0, start - _HEADER_CHARACTERS) : start].lower()
    if named and (len(run) >= _SHORTEST_HEADER or is_random(run)):
        return match.span("run")
    return match.span("run") if len(run) >= _BARE_BEARER and is_random(run) else None


def _header(match: re.Match[str]) -> Span | None:
    run = match["run"]
    bare = len(run) >= _BARE_BEARER and any(map(str.isdigit, run))
    return match.span("run") if bare or (match["scheme"] and len(run) >= _SHORTEST_HEADER) else None


def _url_password(match: re.Match[str]) -> Span | None:
    start = match.start("run")
    at = match["run"].rfind("@")
    if at < 0:
        return _cut_password(match)
    user, colon, password = match["run"][:at].partition(":")
    if colon:
        begin = start + len(user) + 1
        return (begin, start + at) if password and not password.startswith(("$", "{", "<", "*", "[")) else None
    return (start, start + at) if len(user) >= _USER_TOKEN and is_random(user) else None


def _cut_password(match: re.Match[str]) -> Span | None:
    """Return a password that was cut off before its `@`; numbers are ports."""
    run = match["run"].rstrip(".…")
    start, stop = match.start("run") + len(run.partition(":")[0]) + 1, match.start("run") + len(run)
    cut = is_cut(match.string, stop) and is_random(match.string[start:stop])
    return (start, stop) if cut and not match.string[start:stop].isdigit() else None


_WORD = r"[A-Za-z0-9]"
_DASHED = r"[A-Za-z0-9_\-]"

TOKENS: Final = (
    Shapes(
        "aws-key-id",
        [_shape(prefix, rf"{prefix}(?P<run>[A-Z0-9]*+)", _aws_key_id) for prefix in ("AKIA", "ASIA", "ABIA", "ACCA")],
    ),
    Shapes(
        "aws-secret-key",
        [
            _shape(
                "secret",
                rf"secret[_\- ]?(?:access)?[_\- ]?key{_GAP}{{1,12}}+(?P<run>[A-Z0-9/+]*+)",
                _aws_secret,
                folded=True,
            ),
            *(
                _shape(prefix, rf"{prefix}[A-Z0-9]{{16}}{_GAP}{{1,12}}+(?P<run>[A-Za-z0-9/+]*+)", _aws_secret)
                for prefix in ("AKIA", "ASIA")
            ),
        ],
    ),
    Shapes(
        "github-token",
        [
            *(_shape(f"gh{kind}_", rf"gh{kind}_(?P<run>[A-Za-z0-9_]*+)", token(30)) for kind in "pousr"),
            _shape("github_pat_", r"github_pat_(?P<run>[A-Za-z0-9_]*+)", token(30)),
        ],
    ),
    Shapes(
        "gitlab-token",
        [
            _shape(f"gl{kind}-", rf"gl{kind}-(?P<run>[A-Za-z0-9_\-.]*+)", token(20))
            for kind in ("pat", "dt", "rt", "cbt", "ptt", "ft", "soat", "agent", "oas")
        ],
    ),
    Shapes(
        "slack-token",
        [
            _shape("xox", r"xox[a-z](?:\.xox[a-z])?-(?P<run>[A-Za-z0-9\-]*+)", token(20)),
            _shape("xapp-", r"xapp-(?P<run>[A-Za-z0-9\-]*+)", token(20)),
            _shape("hooks.slack.com/", r"hooks\.slack\.com/(?P<run>[A-Za-z0-9/]*+)", token(30)),
        ],
    ),
    Shapes("anthropic-key", [_shape("sk-ant-", rf"sk-ant-(?P<run>{_DASHED}*+)", token(20))]),
    Shapes("openai-key", [_shape("sk-", rf"sk-(?!ant-)(?P<run>{_DASHED}*+)", _openai)]),
    Shapes(
        "google-key",
        [
            _shape("AIza", rf"AIza(?P<run>{_DASHED}*+)", token(35, free=True)),
            _shape("ya29.", rf"ya29\.(?P<run>{_DASHED}*+)", token(20)),
            _shape("GOCSPX-", rf"GOCSPX-(?P<run>{_DASHED}*+)", token(20)),
        ],
    ),
    Shapes("npm-token", [_shape("npm_", rf"npm_(?P<run>{_WORD}*+)", token(36))]),
    Shapes(
        "huggingface-token",
        [_shape(prefix, rf"{prefix}(?P<run>{_WORD}*+)", token(30, free=True)) for prefix in ("hf_", "api_org_")],
    ),
    Shapes("pypi-token", [_shape("pypi-Ag", rf"pypi-(?P<run>Ag{_DASHED}*+)", token(40))]),
    Shapes(
        "stripe-key",
        [
            *(
                _shape(prefix, rf"{prefix}(?P<run>{_WORD}*+)", token(16))
                for prefix in ("sk_live_", "sk_test_", "rk_live_", "rk_test_")
            ),
            _shape("whsec_", r"whsec_(?P<run>[A-Za-z0-9+/=]*+)", token(20)),
        ],
    ),
    Shapes("jwt", [_shape("eyJ", rf"eyJ{_DASHED}*+(?:\.{_DASHED}++)*+", _jwt)]),
    Shapes(
        "authorization-header",
        [
            _shape(
                "bearer",
                r"""bearer(?:[ \t]|%20|\+){1,3}+["'\\]*+(?P<run>[a-z0-9\-._~+/=|:]*+)""",
                _bearer,
                folded=True,
            ),
            _shape(
                "authorization",
                rf"authorization{_GAP}{{1,8}}+"
                r"(?P<scheme>(?:basic|digest|token|apikey|key|negotiate)(?:[ \t]|%20){1,3}+)?+"
                r"(?P<run>[a-z0-9\-._~+/=|:]*+)",
                _header,
                folded=True,
            ),
        ],
    ),
    Shapes(
        "url-password",
        [
            _shape("://", r"""://(?P<run>[^\s/"'<>\\`]*+)""", _url_password),
            _shape(":\\/", r""":\\/\\/(?P<run>[^\s/"'<>\\`]*+)""", _url_password),
        ],
    ),
)
"""Rules about tokens, the most telling first."""
