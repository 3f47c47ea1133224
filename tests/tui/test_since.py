from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import unspool
from unspool_tui.present.session_filter import BadWord, SessionFilter
from unspool_tui.present.since import NoTime, Since

NOW = 1_800_000_000_000
DAY = 86_400_000


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1d", NOW - DAY),
        ("2W", NOW - 14 * DAY),
        ("30m", NOW - 1_800_000),
        ("2026-06-01", 1_780_272_000_000),
        ("2026-06-01T09:00", 1_780_304_400_000),
        ("2026-06-01T09:00:00+09:00", 1_780_272_000_000),
    ],
)
def test_an_age_a_day_and_a_time_say_since_when(text: str, moment: int) -> None:
    assert Since.parse(text).begins(NOW) == moment


@pytest.mark.parametrize("text", ["soon", "", "7", "7y", "2026-02-30", "999999w", "0001-01-01T00:00+14:00", "x" * 999])
def test_anything_else_is_refused_and_shown_what_can_be_written(text: str) -> None:
    with pytest.raises(NoTime, match="2026-06-01T09:00, 7d or 12h") as refused:
        Since.parse(text)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("when", ["2020-01-01", "2999-01-01", "9999d", "1h", "2026-06-01T09:00"])
def test_the_filter_of_the_app_understands_what_the_command_does(home: Path, when: str) -> None:
    lines = Claude(home, Names(1))
    lines.user("Mend the fence")
    lines.save()
    listed = unspool("sessions", "--since", when).code == 0
    assert lines.last_activity is not None
    active = Since.parse(lines.last_activity).begins(0)
    since = SessionFilter.parse(f"since:{when}").since
    assert since is not None
    assert (active >= since.begins(NOW)) is listed


@pytest.mark.parametrize("when", ["soon", "2026-02-30"])
def test_both_refuse_the_same_words_and_say_the_same(when: str) -> None:
    with pytest.raises(BadWord) as refused:
        SessionFilter.parse(f"since:{when}")
    assert str(refused.value).partition("; ")[2] == unspool("sessions", "--since", when).err.strip().partition("; ")[2]
