"""The one session that is shown from inside: a rounding mistake, found, fixed and tested."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from tests.screenshots.script import ClaudeScript

CWD = "/home/mira/src/billing"

MONEY = '''"""Splitting amounts without losing a cent."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def rounded(amount: Decimal) -> Decimal:
    """Round to whole cents, halves away from zero."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def split(amount: Decimal, shares: list[int]) -> list[Decimal]:
    """Split an amount by shares; the parts add up to it."""
    whole = sum(shares)
    parts = []
    for share in shares:
        part = amount * share / whole
        parts.append(rounded(part))
    return parts


def total(lines: list[Line]) -> Decimal:
    """Add up the lines of an invoice."""
    return sum((rounded(line.net * (1 + line.rate)) for line in lines), Decimal(0))
'''

PATCH_OLD = """    whole = sum(shares)
    parts = []
    for share in shares:
        part = amount * share / whole
        parts.append(rounded(part))
    return parts"""

PATCH_NEW = """    whole = sum(shares)
    parts, seen, given = [], 0, Decimal(0)
    for share in shares:
        seen += share
        upto = rounded(amount * seen / whole)  # what all shares so far come to
        parts.append(upto - given)
        given = upto
    return parts"""

TEST = """from decimal import Decimal

import pytest
from billing.money import split


@pytest.mark.parametrize("cents", range(1, 200))
def test_the_parts_of_a_split_add_up(cents: int) -> None:
    amount = Decimal(cents) / 100
    assert sum(split(amount, [1, 1, 1])) == amount
"""

STAT = """ CHANGELOG.md          | 2 ++
 src/billing/money.py  | 8 +++++---
 src/billing/pdf.py    | 2 +-
 tests/test_split.py   | 9 +++++++++
 4 files changed, 17 insertions(+), 4 deletions(-)"""


def story(home: Path, start: datetime) -> ClaudeScript:
    """Write the session and its side files, and return its script."""
    script = ClaudeScript("invoices drift by a cent", start, CWD, branch="fix/cents")
    _look_around(script)
    _reproduce(script, home)
    _mend(script)
    _more_of_it(script, home)
    _finish(script)
    script.title("Invoices drift by a cent")
    script.write(script.path(home))
    return script


def _look_around(script: ClaudeScript) -> None:
    script.prompt("How does billing get from order lines to the total on an invoice? Read only, no changes yet.")
    script.wait(7)
    script.think("The person wants an explanation first. Look at the package layout, then follow the total.")
    script.say("I'll follow the total from the order to the printed invoice.")
    script.wait(2)
    files = "\n".join(f"src/billing/{name}.py" for name in ("money", "invoice", "order", "tax", "pdf", "cli"))
    script.use("Glob", files, pattern="src/billing/**/*.py")
    script.wait(2)
    _read(script, f"{CWD}/src/billing/money.py", MONEY)
    script.wait(3)
    _read(script, f"{CWD}/src/billing/invoice.py", _invoice())
    script.wait(3)
    script.use("Grep", "\n".join(
        f"src/billing/{file}.py:{line}:    {text}" for file, line, text in (
            ("invoice", 41, "parts = split(order.shipping, [line.weight for line in order.lines])"),
            ("invoice", 88, "discount = split(order.voucher, [line.cents for line in order.lines])"),
            ("order", 130, "return split(self.deposit, self.shares)"),
            ("cli", 57, "for part in split(amount, shares):"),
        )), pattern="split\\(", path="src/billing", output_mode="content")  # fmt: skip
    script.wait(6)
    script.say(
        "The total is the sum of rounded lines. Shipping and vouchers are spread over the lines by `split()`, "
        "which rounds every part on its own: nothing makes the parts add up to the whole."
    )
    script.wait(70)


def _reproduce(script: ClaudeScript, home: Path) -> None:
    script.prompt(
        "Some invoices are a cent off against the order. That must be it then. Show me that it is, "
        "with a test that fails, and fix it."
    )
    script.wait(5)
    script.say("First a test that fails for the right reason, then the fix.")
    script.wait(4)
    path = f"{CWD}/tests/test_split.py"
    detail = {"type": "create", "filePath": path, "content": TEST}
    script.use("Write", f"File created successfully at: {path}", detail=detail, file_path=path, content=TEST)
    script.wait(3)
    script.bash("pytest -q tests/test_split.py", _failing(), took=4, code=1)
    script.wait(8)
    script.say(
        "132 of 199 amounts lose or gain a cent. Let me see whether real orders are hit as often, over the archive."
    )
    script.wait(2)
    script.stored(home, "python -m billing.replay --orders archive/2026-*.ndjson -v", _replay(), took=41, code=1)
    script.wait(11)
    script.say("3 814 of 61 200 archived orders differ, always by one or two cents, always where shipping is split.")


def _mend(script: ClaudeScript) -> None:
    script.wait(6)
    detail = {"filePath": f"{CWD}/src/billing/money.py", "oldString": PATCH_OLD, "newString": PATCH_NEW,
              "originalFile": MONEY, "structuredPatch": [_hunk()], "userModified": False}  # fmt: skip
    script.use("Edit", "The file src/billing/money.py has been updated.", detail=detail,
               file_path=f"{CWD}/src/billing/money.py", old_string=PATCH_OLD, new_string=PATCH_NEW)  # fmt: skip
    script.wait(4)
    script.bash("pytest -q", "." * 72 + " [ 31%]\n" + "." * 72 + " [ 62%]\n" + "." * 72 + " [ 93%]\n" + "." * 15
                + " [100%]\n231 passed in 3.96s", took=5)  # fmt: skip
    script.wait(5)
    script.chain("system", subtype="informational", content="Stop hook ran: ruff check . (ok)", level="info")
    script.wait(2)
    script.say(
        "Fixed: `split()` now rounds the running sum and hands out the differences, so the parts always add up. "
        "The new test holds it for every amount up to two euros."
    )
    script.wait(140)


def _more_of_it(script: ClaudeScript, home: Path) -> None:
    script.prompt("Good. Is the same mistake anywhere else? Look at tax and at the PDF, they do their own rounding.")
    script.wait(6)
    _explore(script, home)
    script.wait(5)
    script.use("Edit", "<tool_use_error>File has been modified since it was read</tool_use_error>", error=True,
               detail="Error: File has been modified since it was read", file_path=f"{CWD}/src/billing/pdf.py",
               old_string="round(part, 2)", new_string="rounded(part)")  # fmt: skip
    script.wait(3)
    _read(script, f"{CWD}/src/billing/pdf.py", _pdf())
    script.wait(3)
    script.use("Edit", "The file src/billing/pdf.py has been updated.", file_path=f"{CWD}/src/billing/pdf.py",
               old_string="round(part, 2)", new_string="rounded(part)")  # fmt: skip
    script.wait(4)
    script.stored(home, "python -m billing.replay --orders archive/2026-*.ndjson -v", _replay(bad=False), took=39)
    script.wait(7)
    script.say("Tax was right. The PDF rounded with floats; it now uses `rounded()`. All 61 200 archived orders agree.")
    script.wait(95)


def _finish(script: ClaudeScript) -> None:
    script.prompt("Write the changelog entry, short, and say what customers will see.")
    script.wait(8)
    entry = "## Unreleased\n\n- Invoices add up to the order, to the cent.\n"
    script.use("Edit", "The file CHANGELOG.md has been updated.", file_path=f"{CWD}/CHANGELOG.md",
               old_string="## Unreleased\n", new_string=entry)  # fmt: skip
    script.wait(3)
    script.bash("git diff --stat", STAT)
    script.wait(6)
    script.say(
        "Done. Customers see nothing new, except that shipping and vouchers on an invoice now add up to the order. "
        "Invoices that were already sent keep their numbers."
    )


def _explore(script: ClaudeScript, home: Path) -> None:
    """Let a subagent look, in a file of its own."""
    task = "Find every place that rounds money without billing.money.rounded"
    call_id = script.call("Task", description="find other rounding", prompt=task, subagent_type="Explore")
    agent_id = script.id()[:8]
    sub = ClaudeScript("find other rounding", script.now, CWD)
    sub.session_id = script.session_id
    sub.side = {"isSidechain": True, "agentId": agent_id}
    sub.prompt(task)
    sub.wait(4)
    for word in ("round(", "quantize", "ROUND_", ":.2f"):
        sub.use("Grep", f"src/billing/pdf.py:63:    cells.append({word}…", pattern=word, path="src/billing")
        sub.wait(5)
    sub.say("One place: src/billing/pdf.py:63 rounds floats with round(part, 2). Tax uses rounded() everywhere.")
    folder = script.path(home).with_suffix("") / "subagents"
    sub.write(folder / f"agent-{agent_id}.jsonl")
    script.wait(49)
    answer = "One place: src/billing/pdf.py:63 rounds floats with round(part, 2). Tax uses rounded() everywhere."
    detail = {"agentId": agent_id, "status": "completed", "content": [{"type": "text", "text": answer}],
              "totalDurationMs": 49_000, "totalTokens": 18_204, "totalToolUseCount": 4}  # fmt: skip
    script.result(call_id, [{"type": "text", "text": answer}], detail=detail)


def _read(script: ClaudeScript, path: str, text: str) -> None:
    numbered = "\n".join(f"{number:>6}→{line}" for number, line in enumerate(text.split("\n"), 1))
    file = {
        "filePath": path,
        "content": text,
        "numLines": text.count("\n"),
        "startLine": 1,
        "totalLines": text.count("\n"),
    }
    script.use("Read", numbered, took=0.2, detail={"type": "text", "file": file}, file_path=path)


def _hunk() -> dict[str, Any]:
    before = ['     """Split an amount by shares; the parts add up to it."""']
    old, new = PATCH_OLD.split("\n"), PATCH_NEW.split("\n")
    lines = [
        *before, f" {old[0]}", *(f"-{line}" for line in old[1:-1]), *(f"+{line}" for line in new[1:-1]), f" {old[-1]}",
        " ", " ", " def total(lines: list[Line]) -> Decimal:",
    ]  # fmt: skip
    removed, added = len(old) - 2, len(new) - 2
    return {"oldStart": 17, "oldLines": 6 + removed, "newStart": 17, "newLines": 6 + added, "lines": lines}


def _failing() -> str:
    dots = "".join("F" if number % 3 else "." for number in range(199))
    progress = "\n".join(f"{dots[at : at + 72]} [{min(100, (at + 72) * 100 // 199):>3}%]" for at in range(0, 199, 72))
    traces = "\n".join(_trace(cents) for cents in (1, 2, 4))
    short = "\n".join(
        f"FAILED tests/test_split.py::test_the_parts_of_a_split_add_up[{cents}]" for cents in range(1, 199) if cents % 3
    )
    return (
        f"{progress}\n=================================== FAILURES ===================================\n{traces}\n"
        f"=========================== short test summary info ============================\n{short}\n"
        "132 failed, 67 passed in 1.84s"
    )


def _trace(cents: int) -> str:
    amount, wrong = f"0.0{cents}", f"0.0{(cents + 1) // 3 * 3}" if cents % 3 == 2 else f"0.0{cents // 3 * 3}"
    return f"""____________________ test_the_parts_of_a_split_add_up[{cents}] ____________________

cents = {cents}

    @pytest.mark.parametrize("cents", range(1, 200))
    def test_the_parts_of_a_split_add_up(cents: int) -> None:
        amount = Decimal(cents) / 100
>       assert sum(split(amount, [1, 1, 1])) == amount
E       AssertionError: assert Decimal('{wrong}') == Decimal('{amount}')
E        +  where Decimal('{wrong}') = sum([Decimal('0.00'), Decimal('0.00'), Decimal('0.00')])

tests/test_split.py:10: AssertionError"""


def _replay(*, bad: bool = True) -> str:
    rows = []
    for number in range(61_200):
        differs = bad and number % 16 == 7
        said = "DIFFERS by 0.01  split(shipping)" if differs else "ok"
        rows.append(
            f"order {1_000_000 + number * 7}  lines {number % 9 + 1}  total {number % 997}.{number % 100:02d}  {said}"
        )
    differing = sum("DIFFERS" in row for row in rows)
    rows.append(f"{len(rows)} orders, {differing} differ")
    return "\n".join(rows)


def _invoice() -> str:
    body = "\n".join(
        f"    def line_{number}(self) -> Line:\n        return self.lines[{number}].with_rate(self.rate)\n"
        for number in range(40)
    )
    return f"class Invoice:\n    def __init__(self, order: Order) -> None:\n        self.order = order\n\n{body}"


def _pdf() -> str:
    rows = "\n".join(f"    cells.append(str(row.column_{number}))" for number in range(60))
    head, tail = (
        "def cells_of(row: Row) -> list[str]:\n    cells = []\n",
        "    cells.append(round(part, 2))\n    return cells\n",
    )
    return f"{head}{rows}\n{tail}"
