"""What the scripted agent is asked, says and does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unspool_tui.demo import files
from unspool_tui.demo.project import PYTHON

if TYPE_CHECKING:
    from unspool_tui.demo.agent import Agent

ASKED = (
    "Three of a kind should cost as much as two, but the till gives more away. Find out why and mend it. "
    "And see to it that the tax is right to the cent."
)

MENDED = (
    "Both are mended:\n"
    "\n"
    "- **Three for two.** `line_total` gave every second article away; now it is every third.\n"
    "- **Tax.** `round` turns half a cent to the even side, so that some amounts at 12 % were a cent short. `tax_in` "
    "now counts in whole numbers, and half a cent is one.\n"
    "\n"
    "| checked | before | now |\n"
    "|---|---|---|\n"
    "| unit tests | 2 of 5 failed | all pass |\n"
    "| 6,000 receipts against exact fractions | some a cent short | all right |"
)

SUMMARY = (
    "The person wanted three of a kind to cost as much as two, and the tax right to the cent. Done in till.py: every "
    "third article is free, tax_in counts in whole numbers. The tests pass, and check.py finds no wrong receipt."
)

PRINTED = (
    "`receipt.py` prints a receipt: a line for each article, what is to be paid, and the tax in it. The amounts are "
    "those of `till.py`, so nothing is added up twice."
)


def play(agent: Agent) -> None:
    """Play the whole story."""
    _mend_the_prices(agent)
    _mend_the_tax(agent)
    agent.answer(MENDED)
    agent.name("The till: three for two, and the tax to the cent")
    agent.compact(SUMMARY, kept=3)
    _print_receipts(agent)


def _mend_the_prices(agent: Agent) -> None:
    agent.hear(ASKED)
    agent.think("Before I touch anything: what is there, and what do the tests say?")
    agent.tell("I look at the project, then let its tests run.")
    agent.use_together(("list_files", {"path": "."}), ("read_file", {"path": "till.py"}))
    agent.use("run_command", command=f"{PYTHON} -m unittest")
    agent.think("`count // 2` is free, so two of a kind cost as much as one. Of three one is meant: `count // 3`.")
    agent.tell("`line_total` gives away every second article instead of every third.")
    search, replace = files.FREE
    agent.use("edit_file", path="till.py", search=search, replace=replace)
    agent.use("run_command", command=f"{PYTHON} -m unittest")


def _mend_the_tax(agent: Agent) -> None:
    agent.tell("The tests pass, but they say little about the tax. I compare 6,000 receipts with exact fractions.")
    checked = agent.use("run_command", command=f"{PYTHON} check.py")
    agent.tell("Some are wrong. The output is too long for me; I look into the file that it was saved to.")
    agent.use("grep_files", pattern="FAIL|wrong", path=checked.saved or "check.py")
    agent.think("All at 12 %, all a cent short, where half a cent is due: `round` goes to the even side.")
    search, replace = files.TAX
    agent.use("edit_file", path="till.py", search=search, replace=replace)
    agent.use("run_command", command=f"{PYTHON} check.py --quiet")


def _print_receipts(agent: Agent) -> None:
    agent.hear("Good. Now let it print receipts: a line for each article, the sum, and the tax in it.")
    missed = agent.use("read_file", path="receipt.py")
    told = agent.tell("There is none yet, so I write one.")
    written = agent.use("write_file", path="receipt.py", content=files.RECEIPT)
    tried = agent.use("run_command", command=f"{PYTHON} receipt.py")
    agent.snip(missed.ids)
    agent.collapse([told, *written.ids, *tried.ids], "receipt.py was written, and prints a receipt as was asked for.")
    agent.use("run_command", command=f"{PYTHON} -m unittest -v")
    agent.answer(PRINTED)
