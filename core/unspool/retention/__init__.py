"""Cleaning up recorded sessions: what went unused for long enough goes, by a plan that people see first.

`scan` looks at a home and `log_facts` at each log in it, `plan` says what would go and what stays and why, `apply`
carries that out, by `moving` one after the other, and `trash` is where it goes. `foreign` keeps all of it away from
other agents' folders.
"""

from __future__ import annotations

from unspool.retention.apply import Applied, Left, apply_retention
from unspool.retention.item import Item
from unspool.retention.moment import Moment
from unspool.retention.plan import RetentionPlan, Staying, plan_retention

__all__ = [
    "Applied",
    "Item",
    "Left",
    "Moment",
    "RetentionPlan",
    "Staying",
    "apply_retention",
    "plan_retention",
]
