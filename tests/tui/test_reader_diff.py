from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.hostile_text import FORBIDDEN, texts
from unspool_tui.present.diff import diff_lines
from unspool_tui.present.lines import Line
from unspool_tui.present.patch import Patch, patch_of

STRUCTURED = {
    "filePath": "src/queue/worker.py",
    "structuredPatch": [
        {
            "oldStart": 151,
            "oldLines": 3,
            "newStart": 151,
            "newLines": 3,
            "lines": [
                "     raise ValueError",
                "-    batch = [job for job in jobs if job.due(self.clock())]",
                "+    batch = [job for job in jobs if job.due(now)]",
                "     return batch",
            ],
        }
    ],
}


def gutter(line: Line) -> str:
    return "".join(text for text, _ in line.gutter or ())


def marked(line: Line) -> list[str]:
    return [text for text, ink in line.cells if ink.endswith("-word")]


def made(arguments: Any = None, detail: Any = None, text: str = "") -> Patch:
    patch = patch_of(arguments, detail, text)
    assert patch is not None
    return patch


def test_a_recorded_patch_is_numbered_old_and_new_and_said_to_be_recorded() -> None:
    patch = made({"old_string": "x", "new_string": "y"}, STRUCTURED)
    heading, *lines = diff_lines(patch)

    assert patch.origin == "from the recorded patch"
    assert "⋯" in gutter(heading)
    assert [gutter(line) for line in lines] == [
        "  151  151    ",
        "  152      −  ",
        "       152 +  ",
        "  153  153    ",
    ]
    assert [line.ground for line in lines] == ["ground", "del-bg", "add-bg", "ground"]


def test_recorded_changes_of_a_file_that_was_moved_name_both_paths() -> None:
    change = {"type": "update", "unified_diff": "@@ -7 +7 @@\n-a\n+b\n", "move_path": "new.py"}
    patch = made(None, {"changes": {"old.py": change}}, "*** Begin Patch\n*** Update File: x\n@@\n+y\n*** End Patch")

    assert (patch.origin, [file.path for file in patch.files]) == ("from the recorded patch", ["old.py → new.py"])
    assert [gutter(line) for line in diff_lines(patch)[1:]] == ["    7      −  ", "         7 +  "]


def test_only_the_words_that_differ_are_marked() -> None:
    lines = diff_lines(made(None, STRUCTURED))

    assert [marked(line) for line in lines] == [[], [], ["self.clock()"], ["now"], []]


def test_lines_with_little_in_common_are_replaced_and_not_marked() -> None:
    lines = diff_lines(made({"file_path": "a", "old_string": "alpha beta gamma", "new_string": "one two three"}))

    assert [marked(line) for line in lines] == [[], []]


def test_a_changed_line_is_paired_with_the_line_most_like_it() -> None:
    old = "def f():\n    return total(items, 1)\n"
    new = "def f():\n    items = sorted(rows)\n    return total(items, 2)\n"
    lines = diff_lines(made({"file_path": "a.py", "old_string": old, "new_string": new}))

    assert [(line.text.strip(), marked(line)) for line in lines if line.ground != "ground"] == [
        ("return total(items, 1)", ["1"]),
        ("items = sorted(rows)", []),
        ("return total(items, 2)", ["2"]),
    ]


def test_several_lines_of_a_block_are_paired_in_order() -> None:
    old = "x = total(items, 1)\ny = largest(items, 1)\n"
    new = "x = total(items, 2)\ny = largest(items, 3)\n"
    lines = diff_lines(made({"file_path": "a.py", "old_string": old, "new_string": new}))

    assert [marked(line) for line in lines] == [["1"], ["1"], ["2"], ["3"]]


def test_without_a_record_the_arguments_tell_and_nobody_knows_the_numbers() -> None:
    patch = made({"file_path": "a.py", "old_string": "a\nb\n", "new_string": "a\nc\n"})

    assert patch.origin == "from the call"
    assert [gutter(line).strip() for line in diff_lines(patch)] == ["", "−", "+"]


def test_a_new_file_is_all_new_and_numbered_from_one() -> None:
    patch = made({"file_path": "a.py", "content": "one\ntwo\n"})

    assert [gutter(line).split() for line in diff_lines(patch)] == [["1", "+"], ["2", "+"]]
    assert (patch.count("+"), patch.count("-"), patch.changes) == (2, 0, 1)


def test_several_edits_of_one_call_are_several_changes() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]

    assert made({"file_path": "a.py", "edits": edits}).changes == 2


def test_an_edit_may_be_told_as_a_search_and_what_replaces_it() -> None:
    told = {"search": "a\nb\n", "replace": "a\nc\n"}

    assert [gutter(line).strip() for line in diff_lines(made({"path": "a.py", **told}))] == ["", "−", "+"]
    assert made({"path": "a.py", "replacements": [told, told]}).changes == 2


@pytest.mark.parametrize("arguments", [{"search": "a"}, {"search": "a", "replace": 3}, {"replacements": [["a", "b"]]}])
def test_a_search_alone_is_no_edit(arguments: dict[str, Any]) -> None:
    assert patch_of({"path": "a.py", **arguments}, None, "") is None


PATCH = """*** Begin Patch
*** Update File: src/a.py
@@ def drain(self):
 keep
-old
+new

 also kept
*** Add File: src/b.py
+fresh
*** Update File: src/c.py
*** Move to: src/d.py
@@
--- a comment of SQL
+++ plus
*** Delete File: src/e.py
*** End Patch"""


def test_a_written_patch_gives_files_headings_and_lines() -> None:
    patch = made(None, None, PATCH)

    assert [file.path for file in patch.files] == ["src/a.py", "src/b.py", "src/c.py → src/d.py", "src/e.py"]
    first = patch.files[0].hunks[0]
    assert first.heading == "def drain(self):"
    assert first.lines == ((" ", "keep"), ("-", "old"), ("+", "new"), (" ", ""), (" ", "also kept"))
    assert patch.files[2].hunks[0].lines == (("-", "-- a comment of SQL"), ("+", "++ plus"))
    assert patch.files[1].whole
    assert patch.files[3].whole


def test_a_patch_is_found_in_arguments_and_in_a_command_line_too() -> None:
    assert (
        made({"input": PATCH}).files == made({"command": ["apply_patch", PATCH]}).files == made(None, None, PATCH).files
    )


def test_unified_changes_recorded_by_file_are_numbered() -> None:
    change = {"type": "update", "unified_diff": "--- a/x\n+++ b/x\n@@ -4,2 +4,2 @@ class A:\n keep\n-old\n+new\n"}
    lines = diff_lines(made(None, {"changes": {"/repo/x": change}}))

    assert lines[0].text == "class A:"
    assert [gutter(line).split() for line in lines[1:]] == [["4", "4"], ["5", "−"], ["5", "+"]]


def test_what_names_no_change_is_no_patch() -> None:
    for arguments in (None, [], "text", {}, {"command": "ls"}, {"file_path": "a"}, {"old_string": 3}, {"edits": "x"}):
        assert patch_of(arguments, None, "") is None, arguments
    for detail in ("denied", [1], {"structuredPatch": []}, {"structuredPatch": [3]}, {"changes": {"a": 1}}):
        assert patch_of(None, detail, "") is None, detail


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["structuredPatch", "lines", "oldStart", "newStart", "changes", "edits", "old_string", "content", "type",
             "new_string", "file_path", "unified_diff", "command", "input", "filePath"]
        ),
        inner,
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize(
    "script",
    [
        f"apply_patch <<'PATCH'\n{PATCH}\nPATCH\n",
        f"apply_patch << 'EOF'\n{PATCH}\nEOF",
        f'cd /srv/shop && applypatch <<-"END"\n{PATCH}\nEND\n\n',
    ],
)
@pytest.mark.parametrize("told", [lambda it: {"command": ["bash", "-lc", it]}, lambda it: {"cmd": it}])
def test_a_patch_that_a_shell_hands_to_its_tool_is_the_same_patch(
    script: str, told: Callable[[str], dict[str, Any]]
) -> None:
    wanted, found = made(None, None, PATCH), made(told(script))

    assert [file.path for file in found.files] == [file.path for file in wanted.files]
    assert [line.text for line in diff_lines(found)] == [line.text for line in diff_lines(wanted)]


@pytest.mark.parametrize(
    "script",
    [f"apply_patch <<'A'\n{PATCH}\nA\npytest -q", f"echo x; apply_patch <<A\n{PATCH}\nA", f"cat <<A\n{PATCH}\nA"],
)
def test_a_script_that_does_more_than_hand_a_patch_over_is_read_as_a_script(script: str) -> None:
    assert patch_of({"command": ["bash", "-lc", script]}, None, "") is None


@given(json_like, json_like, texts)
def test_no_stranger_breaks_a_difference_or_puts_a_forbidden_character_into_it(one: Any, two: Any, text: str) -> None:
    patch = patch_of(one, two, "*** Begin Patch\n*** Update File: x\n" + text)

    for line in diff_lines(patch) if patch is not None else ():
        assert not FORBIDDEN.search(line.text)
        assert line.text == "".join(part for part, _ in line.cells)
