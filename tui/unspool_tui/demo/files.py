"""The files of the scripted agent's project, with their two faults, and what the agent makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TILL: Final = '''\
"""Adds up what is bought. Every amount is in whole cents."""


def line_total(price, count):
    """Return what so many of one article cost: of three, one is free."""
    free = count // 2
    return price * (count - free)


def total(lines):
    """Return what lines of (name, price, count) cost together."""
    return sum(line_total(price, count) for _, price, count in lines)


def tax_in(amount, percent):
    """Return the tax that an amount includes, to the nearest cent; half a cent is one."""
    return round(amount * percent / (100 + percent))
'''

TESTS: Final = """\
import unittest

from till import line_total, tax_in, total


class TillTest(unittest.TestCase):
    def test_one_article_costs_its_price(self):
        self.assertEqual(line_total(250, 1), 250)

    def test_of_three_of_a_kind_one_is_free(self):
        self.assertEqual(line_total(250, 3), 500)

    def test_two_of_a_kind_are_both_paid(self):
        self.assertEqual(line_total(250, 2), 500)

    def test_lines_add_up(self):
        self.assertEqual(total([("bread", 420, 1), ("apple", 35, 6)]), 560)

    def test_the_tax_is_included(self):
        self.assertEqual(tax_in(1190, 19), 190)


if __name__ == "__main__":
    unittest.main()
"""

CHECK: Final = '''\
"""Compares the tax of many receipts with what exact fractions give; says nothing of the right ones when --quiet."""

import random
import sys
from fractions import Fraction

from till import tax_in

RECEIPTS = 6000


def exact(amount, percent):
    return int(Fraction(2 * amount * percent, 100 + percent) + 1) // 2


def main():
    chance, wrong = random.Random(7), 0
    for number in range(1, RECEIPTS + 1):
        amount, percent = chance.randrange(50, 20_000), chance.choice((5, 7, 12, 19, 25))
        given, right = tax_in(amount, percent), exact(amount, percent)
        told = f"receipt {number:04}  {amount:>6} cents at {percent:>2} %  tax {given:>5}  exact {right:>5}"
        if given != right:
            wrong += 1
            print(told, " FAIL")
        elif "--quiet" not in sys.argv:
            print(told, " ok")
    if wrong:
        print(f"{wrong} of {RECEIPTS} receipts are wrong")
    return bool(wrong)


sys.exit(main())
'''

RECEIPT: Final = '''\
"""Prints a receipt."""

from till import line_total, tax_in, total

WIDTH = 32


def row(name, cents):
    """Return a name at the left and an amount at the right."""
    amount = f"{cents / 100:.2f}"
    return name + amount.rjust(WIDTH - len(name))


def receipt(lines, percent):
    """Return a receipt for lines of (name, price, count)."""
    rows = [row(f"{count} x {name}", line_total(price, count)) for name, price, count in lines]
    due = total(lines)
    return "\\n".join([*rows, "-" * WIDTH, row("to pay", due), row(f"with {percent} % tax", tax_in(due, percent))])


if __name__ == "__main__":
    print(receipt([("bread", 420, 1), ("apple", 35, 6), ("coffee", 890, 3)], 7))
'''

FILES: Final[Mapping[str, str]] = {"check.py": CHECK, "test_till.py": TESTS, "till.py": TILL}
"""What the project begins with, by name."""

FREE: Final = ("    free = count // 2\n", "    free = count // 3\n")
TAX: Final = (
    "    return round(amount * percent / (100 + percent))\n",
    "    whole = 100 + percent\n    return (2 * amount * percent + whole) // (2 * whole)\n",
)
"""The two edits: what stands there, and what shall."""
