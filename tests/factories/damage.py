"""Files that were torn, padded, glued or spread: the same faults in every agent's sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.factories.claude_lines import Claude
from tests.factories.codex_lines import Codex
from tests.factories.expected import Expected
from tests.factories.minicode_lines import MiniCode
from tests.factories.names import Names
from tests.factories.writing import Lines
from tests.factories.yoi_lines import Yoi

_AGENTS: Final[tuple[Callable[[Path, Names], Lines], ...]] = (Claude, Codex, Yoi, MiniCode)


def either(home: Path, seed: int) -> tuple[Lines, Names]:
    """An empty session of one agent or another."""
    names = Names(seed)
    return _AGENTS[seed % len(_AGENTS)](home, names), names


def torn_lines(home: Path, seed: int) -> Expected:
    """Half records between whole ones: each is listed, nothing behind it is lost."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    lost, found = names.needle(), []
    for _ in range(names.rng.randrange(2, 5)):
        whole = lines.encode(lines.answer_record(f"{names.sentence()} {lost} é漢"))
        lines.bad(whole[: names.rng.randrange(1, whole.index(lost.encode()))])
        found.append(names.needle())
        lines.answer(f"{names.sentence()} {found[-1]}")
        lines.result(lines.call(names.command()), names.sentence())
    return lines.save().expected(find={lost: 0} | dict.fromkeys(found, 1))


def glued_record(home: Path, seed: int) -> Expected:
    """A record written onto the end of a torn one: the stub is listed, the record is salvaged evidence."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    inside, behind, after = names.needle(), names.needle(), names.needle()
    text = f"Half of a sentence {inside}"
    whole = lines.encode(lines.answer_record(text))
    cut = whole.index(text.encode()) + names.rng.randrange(1, len("Half of a sentence"))
    lines.bad(whole[:cut] + lines.encode(lines.answer_record(f"Whole {behind}")))
    lines.count(assistant=1).answer(f"Next line {after}")
    return lines.save().expected(find={inside: 0, behind: 1, after: 1}, flags={"salvaged": 1})


def stub_before_a_quote(home: Path, seed: int) -> Expected:
    """The tear falls behind a comma, a colon is still to come: no place where a record could stand by right."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    needle = names.needle()
    stub = names.rng.choice([b'{"type":"user",', b'{"type":"user","uu', b'{"type":"user","uuid"', b'{"type'])
    lines.bad(stub + lines.encode(lines.answer_record(f"Glued {needle}")))
    lines.count(assistant=1).answer(names.sentence())
    return lines.save().expected(find={needle: 1}, flags={"salvaged": 1})


def missing_newline(home: Path, seed: int) -> Expected:
    """Two whole records on one line: both are evidence, nothing is unreadable."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    first, second = names.needle(), names.needle()
    records = [lines.encode(lines.answer_record(f"{names.sentence()} {word}")) for word in (first, second)]
    lines.raw(b"".join(records))
    lines.count(assistant=2).user(names.prompt())
    return lines.save().expected(find={first: 1, second: 1}, flags={"salvaged": 0})


def spread_record(home: Path, seed: int) -> Expected:
    """Raw newlines inside a string: one record on several lines, a blank one among them."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    call = lines.call(names.command())
    needles = [names.needle() for _ in range(names.rng.randrange(2, 6))]
    text = "\n".join(["First line", *needles, "", "Last line"])
    lines.result(call, text.replace("\n", "BREAK"))
    lines.patch(b"BREAK", b"\n")
    after = names.needle()
    lines.answer(f"Behind it {after}")
    return lines.save().expected(find=dict.fromkeys([*needles, after], 1), texts={needles[0]: text})


def indented_record(home: Path, seed: int) -> Expected:
    """A record written with indentation, a block alone on its line; behind it a glued one, and around it torn ones."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    inside, behind, after = names.needle(), names.needle(), names.needle()
    whole = lines.encode(lines.answer_record(f"{names.sentence()} {inside}"))
    lines.bad(whole[: whole.index(inside.encode())])
    indent = b"\n" + b" " * names.rng.randrange(1, 5)
    spread = b"{" + indent + whole[1:].replace(b"[{", b"[" + indent + b"{").replace(b"}]", b"}" + indent + b"]")
    lines.raw(spread + lines.encode(lines.answer_record(f"Glued {behind}")))
    lines.count(assistant=2).answer(f"Behind it {after}")
    salvaged = lines.encode(lines.answer_record(names.sentence()))
    lines.bad(whole[: whole.index(inside.encode())] + salvaged.replace(b"{", b"{ \t", 1))
    return lines.count(assistant=1).save().expected(find={inside: 1, behind: 1, after: 1}, flags={"salvaged": 1})


def endless_lines(home: Path, seed: int) -> Expected:
    """More raw newlines inside a string than any record needs: one record all the same."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    needle, after = names.needle(), names.needle()
    text = "x\n" * 12_000 + needle
    lines.result(lines.call(names.command()), text.replace("\n", "BREAK"))
    lines.patch(b"BREAK", b"\n")
    lines.answer(f"Behind it {after}")
    return lines.save().expected(find={needle: 1, after: 1}, texts={needle: text})


def half_a_spread_record(home: Path, seed: int) -> Expected:
    """The first lines of a spread record are there, the rest is still being written."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    lines.answer(names.sentence())
    whole = lines.encode(lines.answer_record("one\ntwo\nthree")).replace(b"\\n", b"\n")
    first, second, _ = whole.split(b"\n")
    lines.bad(first)
    lines.raw(second)
    return lines.save(end=b"\nthr").expected(pending=True)


def nul_padding(home: Path, seed: int) -> Expected:
    """A hole of NULs on a line of its own, one before a record, and a tail of NULs: none is listed."""
    lines, names = either(home, seed)
    hole, tail = b"\0" * names.rng.randrange(1, 900), b"\0" * names.rng.randrange(1, 3000)
    lines.user(names.prompt())
    lines.raw(hole)
    needle, last = names.needle(), names.needle()
    lines.raw(hole + lines.encode(lines.answer_record(f"{names.sentence()} {needle}")))
    lines.count(assistant=1).answer(f"{names.sentence()} {last}")
    return lines.save(end=b"\n" + tail).expected(find={needle: 1, last: 1}, must_not=("\0",))


def half_a_last_line(home: Path, seed: int) -> Expected:
    """A record that is still being written is pending, not an error."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    lines.answer(names.sentence())
    unfinished, needle = lines.encode(lines.answer_record("not yet")), names.needle()
    lines.user(f"{names.prompt()} {needle}")
    cut = names.rng.randrange(1, len(unfinished))
    return lines.save(end=b"\n" + unfinished[:cut]).expected(find={needle: 1, "not yet": 0}, pending=True)


def whole_last_line(home: Path, seed: int) -> Expected:
    """A last record without its newline is evidence."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    needle = names.needle()
    lines.raw(lines.encode(lines.answer_record(f"{names.sentence()} {needle}")))
    return lines.count(assistant=1).save(end=b"").expected(find={needle: 1}, flags={"unterminated": 1})


def byte_order_mark(home: Path, seed: int) -> Expected:
    """A BOM, CRLF, blank lines of several kinds, no newline at the end."""
    lines, names = either(home, seed)
    first, last = names.needle(), names.needle()
    title = f"First prompt {first}"
    lines.user(title)
    lines.answer(names.sentence())
    for blank in names.rng.sample([b"", b"   ", b"\t", b" \t "], 3):
        lines.raw(blank)
    lines.user(names.prompt())
    lines.answer(f"{names.sentence()} {last}")
    return lines.save(start=b"\xef\xbb\xbf", newline=b"\r\n", end=b"").expected(
        find={first: 1, last: 1, "\ufeff": 0}, title=title
    )


def invalid_utf8(home: Path, seed: int) -> Expected:
    """Bytes of another encoding, and a character cut in two: U+FFFD in their place, nothing lost."""
    lines, names = either(home, seed)
    lines.user(names.prompt())
    call, needle = lines.call(names.command()), names.needle()
    lines.result(call, f"before LATIN between CUT after {needle}")
    cut = names.rng.choice([b"\xe6\x97", b"\xf0\x9f\x9a", b"\xc3"])
    lines.patch(b"LATIN", b"caf\xe9").patch(b"CUT", cut)
    lines.answer(names.sentence())
    return lines.save().expected(
        find={needle: 1, "caf\ufffd": 1}, texts={needle: f"before caf\ufffd between \ufffd after {needle}"}
    )


def lone_surrogates(home: Path, seed: int) -> Expected:
    r"""Half pairs written as \ud83d: U+FFFD in their place; whole pairs are one character."""
    lines, names = either(home, seed)
    low, high, after = names.needle(), names.needle(), names.needle()
    lines.user(f"A low half LOW here {low}")
    lines.result(lines.call(f"{names.command()} CALLED"), f"whole PAIR then cut HALF\u2026 {high}")
    lines.answer(f"A whole \U0001f680 {after}")
    lines.patch(b"LOW", rb"\udc00").patch(b"PAIR", rb"\ud83d\ude80").patch(b"HALF", rb"\ud83d")
    lines.patch(b"CALLED", rb"\ud83d" if lines.agent in ("claude", "minicode") else rb"\\ud83d")
    return lines.save().expected(
        find={low: 1, high: 1, after: 1, "\U0001f680": 2, "\ufffd": 3},
        texts={high: f"whole \U0001f680 then cut \ufffd\u2026 {high}"},
    )
