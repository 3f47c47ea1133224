"""Values given to a name that says they are secret: `DB_PASSWORD=…`, `api_key: "…"`, `--token …`, `<secret>…<`.

Session texts are mostly code, where such names stand beside types, variables and messages far more often than beside
secrets. So a value is judged by its length and by how much it looks like chance, and more strictly the less the place
says that it is a literal: least in an environment (`NAME=value`), more in quotes, most without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from unspool.export.shape import JUDGED_CHARACTERS, MORE, Span, entropy, is_cut
from unspool.pattern import pattern

QUOTED_CHARACTERS: Final = 16_384
"""How far the closing quote is looked for; a longer value ends at the first space."""

NAME_CHARACTERS: Final = 64
"""The longest name, on either side of the word that tells."""

SHORTEST_CUT: Final = 4
SHORTEST_PASSWORD: Final = 6
SHORTEST_IN_ENVIRONMENT: Final = 8
SHORTEST_IN_QUOTES: Final = 12
SHORTEST_BARE: Final = 16
LONG_PASSWORD: Final = 12
"""Small letters alone are a password from this length on, in quotes."""

FEWEST_SIGNS: Final = 3
"""Different characters: `xxxxxxxx` and `--------` stand for values."""

FOREIGN_PART: Final = 3
"""A value of which more than a third is not ASCII is a message about a secret, in a language without spaces."""

LEAST_ENTROPY: Final = 2.5
"""Bits a character: the names of things repeat their letters more."""

_PASSWORDS: Final = ("passw", "passphrase", "passcode", "pwd", "_pass")
_SECRETS: Final = (
    "secret", "token", "credential", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey",
    "private_key", "privatekey", "auth_key", "authkey", "signing_key", "encryption_key", "account_key", "accountkey",
)  # fmt: skip
_WORDS: Final = (*_PASSWORDS, *_SECRETS)
"""What makes a name that of a secret, wherever it stands in it."""

_NAMED: Final = pattern(
    rf"""
    (?P<tail>[A-Za-z0-9_.\-]{{0,{NAME_CHARACTERS}}}+)        # the rest of the name
    (?:\\*+["'`])?+ \]?+                                     # it was in quotes
    (?:
      (?:\s{{0,2}}:\s{{0,2}}[A-Za-z_][\w.|\[\]]{{0,40}}+)?   # its type
      (?P<before>\s{{0,3}}) (?P<sign>=>|:=|={{1,3}}|:|>) (?P<after>\s{{0,3}})
    | (?P<gap>[ \t]{{1,3}})
    )
    (?P<quote>\\*+(?:"{{3}}|'{{3}}|["'`]))?+
    """,
    re.VERBOSE,
)
_ENDING: Final = (re.compile(r"(?:ord|d)?s?"), re.compile(r"(?:ORD|D)?S?"))
"""What completes a word in small and in capital letters: `passw-ord`, `token-s`."""

_ABOUT: Final = pattern(
    r"(?:name|path|file|dir|url|uri|type|count|limit|length|size|ttl|expir\w*|ref|arn|usage|budget|index|at|id)s?\Z",
    re.IGNORECASE,
)
"""Ends of names whose value only tells about a secret."""

_QUOTED: Final = {sign: re.compile(rf"(?:[^{sign}\\\n]|\\.|{sign * 2})*+(?={sign})") for sign in "\"'`"}
"""Up to the closing quote; one that is escaped or doubled is part of the value."""

_LINE: Final = pattern(r"[^\n…]*+")
_MESSAGE: Final = pattern(
    rf"{'|'.join(map(re.escape, _WORDS))}|(?:api|access|private)\s+key|\b(?:please|enter|your|must|should|cannot"
    r"|invalid|incorrect|wrong|missing|required|optional|forgot|confirm|match|expired?|characters?|at\s+least)\b",
    re.IGNORECASE,
)
"""What people are told about a secret, and what stands in none."""

_BARE: Final = pattern(r"""[^\s"'`<>\\]*+(?:\\(?![nrtu"'`])[^\s"'`<>\\]*+)*+""")
_NEXT: Final = pattern(r"&(?=&|[A-Za-z_][\w.\-]*=)|[;,](?=\s|\Z)")
_CODE: Final = pattern(r"[A-Za-z_$][\w$]*+(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*+)*+[,;)\]}]*+\Z")
_PART: Final = r"(?:(?:[A-Z]?[a-z]++)++|[A-Z]++|[vV]?[0-9]{1,4}+)"
_WORDS_AND_NUMBERS: Final = pattern(rf"{_PART}(?:[_\-./: ]++{_PART})*+\Z")
_ASCII: Final = pattern(r"[\x00-\x7f]+")
_SPACE: Final = pattern(r"\s")
_DIGIT: Final = pattern(r"\d")
_LETTER: Final = pattern(r"[^\W\d_]")
_ELSEWHERE: Final = ("$", "{", "<", "%", "[", "(", "/", "./", "../", "~/", "http://", "https://", "*")
"""Beginnings of what only says where the value is: a variable, a template, a path."""


class Assignments:
    """The rule about values with telling names."""

    name = "secret-value"
    more = MORE

    def spans(self, text: str, lowered: str) -> Iterator[Span]:
        """Yield the secret values of a text."""
        for word in _WORDS:
            begin = lowered.find(word)
            runs = _Runs(text) if begin >= 0 else None
            while runs is not None and begin >= 0:
                behind = begin + len(word)
                named = _NAMED.match(text, behind)
                if named is not None and _means_a_secret(text, begin, behind, named):
                    span = _value(text, named, runs)
                    if _is_secret(text, text[begin:behind], named, span):
                        yield span
                        behind = max(behind, span[1])
                begin = lowered.find(word, behind)


class _Runs:
    """Where runs without spaces end: looked for once, however many values seem to begin in one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._stop = self._next = -1

    def stop(self, start: int, *, quoted: bool) -> int:
        """Return where the run ends that holds a character; outside of quotes also where another value begins."""
        if start >= self._stop:
            bare = _BARE.match(self._text, start)
            self._stop = bare.end() if bare is not None else start
        if quoted:
            return self._stop
        if self._next < start:
            following = _NEXT.search(self._text, start, self._stop + 1)
            self._next = following.start() if following is not None else self._stop
        return min(self._next, self._stop)


def is_secret_pair(name: str, value: str) -> bool:
    """Say whether a text that a structured value has under a name is a secret, judged as if it stood in quotes."""
    value = value[: QUOTED_CHARACTERS - 1].replace('"', "'")
    text = f'{name[-NAME_CHARACTERS:]}:"{value}"'
    lowered = text.lower()
    return len(lowered) == len(text) and any(True for _ in Assignments().spans(text, lowered))


def _means_a_secret(text: str, begin: int, behind: int, named: re.Match[str]) -> bool:
    """Say whether the whole name is that of a secret; before a mere gap it must be an option (`--token abc`)."""
    capitals, tail = text[begin:behind].isupper(), named["tail"]
    ending = _ENDING[capitals].match(tail)
    rest = tail[ending.end() :] if ending is not None else tail
    if rest[:1].isalpha() and (capitals or rest[0].islower()):
        return False
    return _ABOUT.search(tail) is None and (named["gap"] is None or _is_option(text, begin))


def _is_option(text: str, begin: int) -> bool:
    left = begin
    while left > max(0, begin - NAME_CHARACTERS) and (text[left - 1].isalnum() or text[left - 1] in "-_"):
        left -= 1
    return text.startswith("--", left)


def _value(text: str, named: re.Match[str], runs: _Runs) -> Span:
    """Return where the value stands: up to its closing quote in the same line, else up to the next space.

    What a quote opens and no other closes before the text was cut ends there.
    """
    start, quote = named.end(), named["quote"]
    if quote in _QUOTED:
        closed = _QUOTED[quote].match(text, start, start + QUOTED_CHARACTERS)
        if closed is not None:
            return closed.span()
    elif quote is not None:
        stop = text.find(quote, start, start + QUOTED_CHARACTERS)
        if stop >= 0 and "\n" not in text[start:stop]:
            return start, stop
    line = _LINE.match(text, start, start + QUOTED_CHARACTERS) if quote is not None else None
    if line is not None and is_cut(text, line.end()):
        return line.span()
    return start, runs.stop(start, quoted=quote is not None)


def _is_secret(text: str, word: str, named: re.Match[str], span: Span) -> bool:
    start, stop = span
    value = text[start : min(stop, start + JUDGED_CHARACTERS)]
    if len(set(value)) < FEWEST_SIGNS or value.startswith(_ELSEWHERE):
        return False
    password = word.lower() in _PASSWORDS
    if _SPACE.search(value):
        return _is_phrase(value, word + named["tail"], password, environment=_is_environment(word, named))
    if _is_environment(word, named):
        return _looks_secret_in_environment(value, password) or (is_cut(text, stop) and len(value) >= SHORTEST_CUT)
    if named["quote"] is not None:
        return _looks_secret_in_quotes(value, password)
    called = text[stop : stop + 1] in ("(", "[") or "(" in value
    return not called and _looks_secret_bare(value, password)


def _is_phrase(value: str, name: str, password: bool, *, environment: bool) -> bool:
    """Say whether words in quotes are a secret: of a token only under a name in capitals, and no message about one."""
    if len(value) < (SHORTEST_PASSWORD if password else SHORTEST_IN_QUOTES):
        return False
    if environment:
        return True
    named = password or name.isupper() or not name.lower().startswith("token")
    return named and not _is_foreign(value) and _MESSAGE.search(value) is None


def _is_foreign(value: str) -> bool:
    return len(_ASCII.sub("", value)) * FOREIGN_PART > len(value)


def _is_environment(word: str, named: re.Match[str]) -> bool:
    """Say whether it is `NAME=value` in capitals without spaces."""
    name = word + named["tail"]
    return name.isupper() and named["sign"] == "=" and not named["before"] and not named["after"]


def _looks_secret_in_environment(value: str, password: bool) -> bool:
    if password:
        return len(value) >= SHORTEST_PASSWORD
    return len(value) >= SHORTEST_IN_ENVIRONMENT and _LETTER.search(value) is not None


def _looks_secret_in_quotes(value: str, password: bool) -> bool:
    if _is_foreign(value):
        return False
    if password:
        plain = value.isalpha() and value[1:].islower()
        return len(value) >= (LONG_PASSWORD if plain else SHORTEST_PASSWORD)
    long = len(value) >= SHORTEST_IN_QUOTES
    return long and _WORDS_AND_NUMBERS.match(value) is None and entropy(value) >= LEAST_ENTROPY


def _looks_secret_bare(value: str, password: bool) -> bool:
    value = value.rstrip(",;)]}")
    digits = _DIGIT.search(value) is not None
    if len(value) < (SHORTEST_PASSWORD if password else SHORTEST_BARE) or value.isalpha() or not _LETTER.search(value):
        return False
    if _CODE.match(value) and not (digits and value.isalnum()):
        return False
    return password or (digits and _WORDS_AND_NUMBERS.match(value) is None and entropy(value) >= LEAST_ENTROPY)
