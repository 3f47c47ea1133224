"""Answers that are no answer say why, and name the way on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.factories.claude_lines import Claude
from tests.factories.names import Names
from tests.running import unspool
from unspool_tui.cli import main
from unspool_tui.verbs import doctor


@pytest.fixture
def ref(home: Path) -> str:
    """A session whose E2.0 is an output of two lines."""
    lines = Claude(home, Names(1), session_id="eeee0000-0000-4000-8000-000000000001")
    lines.user("Mend the fence")
    lines.result(lines.call("saw"), "post\nrail")
    lines.save()
    return "claude:eeee0000"


def test_a_quote_without_a_digest_is_told_with_the_reference_that_would_hold(ref: str) -> None:
    answer = unspool("resolve", f"{ref}/E2.0")
    whole = answer.err.strip().rpartition(" ")[2]
    assert "nothing says what it was" in answer.err
    assert unspool("resolve", whole, "--json").object["state"] == "intact"
    assert "single piece" in unspool("resolve", f"{ref}/E1-E2").err


@pytest.mark.parametrize("lines", ["#L3", ":99", "#L3-9"])
def test_lines_that_a_piece_has_not_are_missing(ref: str, lines: str) -> None:
    answer = unspool("resolve", f"{ref}/E2.0{lines}")
    assert answer.code == 1
    assert "state         missing\n" in answer.out
    assert answer.err == "E2.0 is there, and has no such lines\n"
    assert unspool("resolve", f"{ref}/E2.0{lines}", "--json").object["state"] == "missing"


@pytest.mark.parametrize("lines", ["", "#L1", "#L2", "#L1-9", ":2"])
def test_lines_that_a_piece_has_are_found(ref: str, lines: str) -> None:
    assert unspool("resolve", f"{ref}/E2.0{lines}").code == 0


def test_a_quote_that_changed_stays_changed_whatever_its_lines(ref: str) -> None:
    assert unspool("resolve", f"{ref}/E2.0#L9@{'0' * 12}", "--json").object["state"] == "changed"


@pytest.mark.parametrize("given", [["grep:gate"], ["lines:9-12"], ["bytes:99..100"]])
def test_a_window_without_anything_in_it_is_no_text_for_programs(ref: str, given: list[str]) -> None:
    answer = unspool("inspect", f"{ref}/E2.0", *given, "--json")
    assert answer.code == 1
    assert answer.object["text"] == ""
    assert answer.object["notice"] + "\n" == unspool("inspect", f"{ref}/E2.0", *given).err
    assert "notice" not in unspool("inspect", f"{ref}/E2.0", "grep:post", "--json").object


def test_a_search_where_there_is_no_session_says_where_to_look() -> None:
    answer = unspool("search", "fence")
    assert answer.code == 1
    assert answer.err.startswith("no session found; `unspool doctor` says where it looked, --root DIR points elsewhere")
    assert "`unspool demo` shows one" in answer.err


@pytest.mark.parametrize("limit", ["1001", "9" * 30])
def test_a_limit_that_is_too_high_is_told_as_it_was_given_with_the_way_on(ref: str, limit: str) -> None:
    answer = unspool("search", "post", "--limit", limit)
    assert answer.code == 2
    assert f"argument --limit: {limit} is too much" in answer.err
    assert "--after goes on" in answer.err


@pytest.mark.parametrize("given", [["--theme", "light"], ["--theme=dark"], ["--ascii"]])
@pytest.mark.parametrize("before", [True, False])
def test_looks_are_refused_by_name_where_nothing_is_drawn(given: list[str], before: bool) -> None:
    answer = unspool(*(given if before else []), "sessions", *([] if before else given))
    name = given[0].partition("=")[0]
    assert answer.code == 2
    assert (
        answer.err
        == f"unspool: {name} says how the app looks, and `unspool sessions` answers without it; leave it out\n"
    )


def test_an_interrupted_doctor_ends_its_line_of_progress(ref: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str | None] = []

    def interrupted(command: doctor.Command) -> None:
        command.output.progress("reading: 1 of 2 sessions")
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "_lines", interrupted)
    monkeypatch.setattr(doctor.Output, "progress", lambda self, text: told.append(text))
    assert main(["doctor"]) == 130
    assert told == ["reading: 1 of 2 sessions", None]


def test_a_tool_that_a_session_does_not_have_is_answered_with_those_it_has(ref: str) -> None:
    assert unspool("evidence", ref, "--tool", "basj").err == "no tool 'basj' here; did you mean Bash?\n"
    assert unspool("evidence", ref, "--tool", "Weld").err == "no tool 'Weld' here; there are Bash\n"
    assert unspool("evidence", ref, "--tool", "BASH").code == 0


def test_a_filter_that_leaves_nothing_names_the_command_that_shows_all(ref: str) -> None:
    (told,) = [line for line in unspool("evidence", ref, "--kind", "system").err.split("\n") if "fits" in line]
    command = told.partition("`unspool ")[2].partition("`")[0]
    assert len(unspool(*command.split(), "--json").rows) == 3


@pytest.mark.parametrize("file", ["talk.pdf", "talk.TXT", "some.talk"])
def test_an_ending_that_is_no_format_is_refused_unless_the_format_is_said(ref: str, tmp_path: Path, file: str) -> None:
    path = tmp_path / file
    refused = unspool("export", ref, "-o", path)
    assert refused.code == 2
    assert "end FILE so, or say which with --format" in refused.err
    assert not path.exists()
    assert unspool("export", ref, "-o", path, "--format", "md").code == 0


@pytest.mark.parametrize("file", ["talk", "talk.2026", "talk.md"])
def test_a_file_without_an_ending_of_another_kind_is_markdown(ref: str, tmp_path: Path, file: str) -> None:
    assert unspool("export", ref, "-o", tmp_path / file).code == 0
    assert (tmp_path / file).read_text().startswith("# ")


def test_an_ending_and_a_format_that_disagree_are_refused(ref: str, tmp_path: Path) -> None:
    refused = unspool("export", ref, "-o", tmp_path / "talk.html", "--format", "md")
    assert refused.code == 2
    assert refused.err.endswith("talk.html ends as html does, and --format says md; let both say the same\n")
    assert unspool("export", ref, "-o", tmp_path / "talk.htm", "--format", "html").code == 0


def test_a_folder_that_a_session_worked_in_names_the_newest_of_them(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "fence"
    (project / "gate").mkdir(parents=True)
    for number, text in ((7, "Mend the fence"), (8, "Paint the fence")):
        lines = Claude(home, Names(number), cwd=str(project))
        lines.user(text)
        lines.save()
    newest = unspool("sessions", "--json").rows[0]["title"]
    for target in (project, f"{project}/"):
        answer = unspool("overview", target, "--json")
        assert [row["excerpt"] for row in answer.rows] == [newest]
    below = unspool("overview", project / "gate")
    assert below.code == 2
    assert "name a session's file, or a folder that one has worked in" in below.err


@pytest.mark.parametrize(
    ("held", "told"),
    [(b"", "is an empty file, no session"), (b'{"a":1}\n', "is no session of an agent that unspool knows")],
)
@pytest.mark.parametrize("verb", ["overview", "doctor"])
def test_a_file_that_is_no_session_is_told_what_one_looks_like(
    tmp_path: Path, held: bytes, told: str, verb: str
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(held)
    answer = unspool(verb, path)
    said = answer.out + answer.err
    assert f"{path} {told}; one of " in said
    assert ".jsonl (or .jsonl.zst) of JSON objects" in said
    assert answer.code == (1 if verb == "doctor" else 2)


def test_a_record_with_one_piece_and_a_single_line_can_be_inspected(ref: str) -> None:
    assert unspool("inspect", f"{ref}/E2", "lines:2").out == "rail\n"
    assert unspool("inspect", f"{ref}/E2", "lines:2", "--json").object == unspool(
        "inspect", f"{ref}/E2.0", "lines:2-2", "--json"
    ).object  # fmt: skip


@pytest.mark.parametrize("place", ["", "/E1-E2"])
def test_a_piece_that_must_be_named_is_named_by_one_that_is_there(ref: str, place: str) -> None:
    told = unspool("inspect", f"{ref}{place}").err.strip()
    assert "one piece must be named, as in " in told
    assert unspool("inspect", told.rpartition(" ")[2]).code == 0


def test_every_limit_is_explained_where_settings_are_shown() -> None:
    limits = unspool("settings", "--show").out.partition("[limits]\n")[2].partition("\n\n")[0]
    assert [line for line in limits.split("\n") if "; " not in line] == []


def test_several_pieces_are_read_at_once_each_under_its_whole_name(ref: str, home: Path) -> None:
    other = Claude(home, Names(9), session_id="ffff0000-0000-4000-8000-000000000001")
    other.user("Paint the gate")
    other.save()
    answer = unspool("read", f"{ref}/E2.0", "claude:ffff0000/E0.0")
    heads = [line for line in answer.out.split("\n") if line.startswith("── ")]
    assert [head.split()[1] for head in heads] == [f"{ref}/E2.0", "claude:ffff0000/E0.0"]
    assert "post\nrail\n" in answer.out
    first, second = unspool("read", f"{ref}/E2.0", "claude:ffff0000/E0.0", "--json").objects
    assert (first["ref"], second["ref"]) == (ref, "claude:ffff0000")
    assert second["pieces"][0]["text"] == "Paint the gate"


def test_several_pieces_share_one_bound(ref: str) -> None:
    answer = unspool("read", f"{ref}/E0", f"{ref}/E2.0", f"{ref}/E0", "--max-bytes", "18", "--json")
    assert sum(len(piece["text"]) for each in answer.objects for piece in each["pieces"]) == 18
    assert answer.err == "1 more REF not read: the bounds are reached\n"
    assert "--after goes on in one answer" in unspool("read", f"{ref}/E0", f"{ref}/E2", "--after", "E0.0+1").err


def test_a_wrong_name_among_several_is_told_before_anything_is_read(ref: str) -> None:
    answer = unspool("read", f"{ref}/E0", "claude:nobody/E0")
    assert (answer.code, answer.out) == (2, "")
