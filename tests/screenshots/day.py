"""A home as it looks after some weeks of work: several projects, two agents, most sessions small."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.screenshots.script import ClaudeScript, CodexScript
from tests.screenshots.story import story

NOW = datetime(2026, 11, 27, 16, 4, 20, tzinfo=UTC)

SESSIONS = (
    # agent, project, title, minutes ago, rounds, share of failures
    ("codex", "gateway", "Retry budget per tenant, review first", 1, 34, 0.1),
    ("claude", "etl", "Why does the nightly import stall after forty minutes", 52, 60, 0.08),
    ("claude", "web", "Keyboard help for the settings page", 131, 22, 0.0),
    ("codex", "infra", "Cache wheels between CI jobs", 188, 41, 0.15),
    ("claude", "web", "日本語のエラーメッセージを直す", 246, 17, 0.2),
    ("claude", "gateway", "Rename Account to Tenant everywhere", 330, 96, 0.1),
    ("codex", "cli", "Move help text next to the commands", 395, 12, 0.0),
    ("claude", "ops", "Postmortem for the 24th: collect the timeline", 1380, 48, 0.02),
    ("claude", "billing", "Property tests for money", 1490, 30, 0.3),
    ("codex", "etl", "Speed up the first start of the worker image", 1575, 26, 0.1),
    ("claude", "web", "Explain the router to me like I am new", 1660, 9, 0.0),
    ("claude", "cli", "Shell completion for zsh and fish", 1755, 20, 0.1),
    ("codex", "gateway", "Find out who writes null into orders.paid_at", 2990, 44, 0.12),
    ("claude", "infra", "Shrink the build context", 3120, 13, 0.0),
    ("claude", "core", "Settings from YAML to TOML", 4460, 54, 0.06),
    ("codex", "core", "Dead feature flags, and who still reads them", 5900, 38, 0.0),
    ("claude", "etl", "Which queries lost their index?", 7420, 15, 0.0),
    ("claude", "billing", "Diagram of the event flow", 8700, 6, 0.0),
    ("codex", "web", "Streaming uploads, second try", 19_000, 51, 0.2),
    ("claude", "gateway", "Upgrade to Python 3.13", 21_400, 88, 0.3),
    ("claude", "core", "First look at the repository", 33_000, 8, 0.0),
    ("codex", "cli", "Set up pre-commit", 41_000, 7, 0.1),
    ("claude", "ops", "Alert rules that nobody reads", 52_000, 19, 0.0),
    ("claude", "web", "Summarise the RFC comments", 61_000, 5, 0.0),
)

WORDS = ("queue", "worker", "tenant", "cache", "route", "schema", "retry", "batch", "lock", "token", "index", "stream")


def write_day(home: Path) -> str:
    """Write all sessions under a home, and return the path of the one that is shown from inside."""
    for number, (agent, project, title, minutes, rounds, failing) in enumerate(SESSIONS):
        length = timedelta(minutes=6 + rounds * 0.7)
        start = NOW - timedelta(minutes=minutes) - length
        script = (CodexScript if agent == "codex" else ClaudeScript)(title, start, f"/home/mira/src/{project}")
        _work(script, title, rounds, failing, length, random.Random(number))
        script.write(script.path(home))
    begun = NOW - timedelta(minutes=10, seconds=25)
    shown = story(home, begun)
    return str(shown.path(home))


def _work(
    script: ClaudeScript | CodexScript, title: str, rounds: int, failing: float, length: timedelta, luck: random.Random
) -> None:
    """Fill a session with rounds of work that nobody reads closely."""
    pause = length.total_seconds() / (rounds + 1) - 2
    script.prompt(title)
    for number in range(rounds):
        script.wait(max(0.2, pause))
        a, b = luck.sample(WORDS, 2)
        bad = luck.random() < failing
        script.say(f"Next the {a} and how it meets the {b}.")
        text = "\n".join(f"src/{a}/{b}.py:{line}: {a} {b}" for line in range(3, luck.randrange(8, 300)))
        script.bash(f"rg -n {a}.*{b} src", text + ("\nrg: src/gone: No such file" if bad else ""), code=2 if bad else 0)
        if number % 9 == 8:
            script.say(f"The {a} is done: nothing else calls it.")
            script.prompt(f"Fine. Go on with the {b}.")
    script.say(f"That was the last of it. {title}: done.")
