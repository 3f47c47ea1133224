"""Small sessions of invented texts, one function for each kind of case: `kind(home, seed) -> Expected`.

The seed varies names, ids, key order, blanks and places; the figures in `Expected` follow from the kind alone.
`KINDS` lists them all.
"""

from __future__ import annotations

from tests.factories.expected import Expected
from tests.factories.kinds import KINDS, seeds_of

__all__ = ["KINDS", "Expected", "seeds_of"]
