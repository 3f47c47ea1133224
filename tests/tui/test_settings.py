from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.conftest import MEDIUM, NARROW, app_on
from tests.tui.driving import Grid, press, settle
from unspool_tui.keymap import COMMANDS
from unspool_tui.present.key_names import NAMES, parse_key, shown_key
from unspool_tui.settings.effective import Settings, load_settings
from unspool_tui.settings.limits import Limits
from unspool_tui.settings.rebinding import USUAL, without_clashes
from unspool_tui.settings.told import Given

CALM = Settings().limits


def write(home: Path, text: str | bytes) -> Path:
    path = home / ".config/unspool/settings.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def load(home: Path, text: str | bytes, **environ: str) -> Settings:
    write(home, text)
    return load_settings(environ, str(home))


def only_fault(settings: Settings) -> str:
    (fault,) = settings.faults
    assert "\n" not in str(fault)
    return str(fault)


def test_without_a_file_everything_is_as_usual_and_nothing_is_wrong(home: Path) -> None:
    settings = load_settings({}, str(home))
    assert settings.path == str(home / ".config/unspool/settings.toml")
    assert (settings.exists, settings.dark, settings.ascii, settings.roots, settings.faults) == (
        False, True, False, None, (),
    )  # fmt: skip
    assert settings.limits == Limits()
    assert settings.keys == {}
    assert {told.kind for told in settings.told.values()} == {"default"}


def test_the_file_names_a_folder_of_stored_outputs(home: Path) -> None:
    (home / "kept").mkdir()
    assert load(home, "").blobs is None
    assert load(home, 'blobs = "~/kept"').blobs == str(home / "kept")


def test_the_file_sets_theme_marks_roots_limits_and_keys(home: Path) -> None:
    old = home / "old"
    old.mkdir()
    settings = load(
        home,
        'theme = "light"\nmarks = "ascii"\nroots = ["~/old", "/"]\n'
        '[limits]\nhits = 7\n[keys]\n"error.next" = ["F7", "F6"]\nmatch.next = "?"\napp.help = "f1"\n',
    )
    assert settings.faults == ()
    assert (settings.dark, settings.ascii, settings.roots) == (False, True, (str(old), "/"))
    assert settings.limits == Limits(hits=7)
    assert settings.keys == {"error.next": ("f7", "f6"), "match.next": ("question_mark",), "app.help": ("f1",)}


def test_each_value_names_its_line_however_it_is_written(home: Path) -> None:
    text = (
        '# theme = "dark"\ntheme = "light"\n\nroots = [\n  "/", # "x" = 1\n]\nlimits = { hits = 5, hits_each = 6 }\n'
        '[keys]\n"turn.next" = "f7"\nerror.next = """\\\n  f8"""\nerror.previous = "f9"\n'
    )
    told = load(home, text).told
    lines = {name: each.line for name, each in told.items() if each.kind == "file"}
    assert lines == {
        "theme": 2, "roots": 4, "limits.hits": 7, "limits.hits_each": 7, "keys.turn.next": 9, "keys.error.next": 10,
        "keys.error.previous": 12,
    }  # fmt: skip


STAYS = "the usual key stays until one of them has another"
UNTIL = "until it is mended the defaults are used"
WRITTEN = "write it as n, N, ?, ctrl+n, f5 or PgDn"
WHILE_TYPING = "types a character, and this works while one types; take a ctrl key"

WRONG_VALUES = (
    ('\nteme = "dark"', ":2: no setting is called 'teme'; did you mean theme?"),
    ('colour = "dark"', ":1: no setting is called 'colour'; `unspool settings --show` lists what there is"),
    ('theme = "ligth"', ":1: theme: 'ligth' is not one of auto, dark, light"),
    ("theme = true", ":1: theme: true is not one of auto, dark, light"),
    ("[theme]", ":1: theme: {} is not one of auto, dark, light"),
    ("[[theme]]\nx = 1", ":1: theme: [{'x': 1}] is not one of auto, dark, light"),
    ("marks = 1", ":1: marks: 1 is not one of auto, ascii, unicode"),
    ("roots = 5", ':1: roots: 5 is not a list of folders, as ["~/.claude", "/mnt/old"]'),
    ('roots = ["/", 1]', ":1: roots: ['/', 1] is not a list of folders, as [\"~/.claude\", \"/mnt/old\"]"),
    ('roots = ["old"]', ":1: roots: 'old' is no whole path; begin it with / or ~/"),
    ('roots = ["/a\\u0000"]', ":1: roots: '/a\\x00' is no whole path; begin it with / or ~/"),
    ("blobs = 5", ':1: blobs: 5 is not a folder, as "~/agent/blobs"'),
    ('blobs = "old"', ":1: blobs: 'old' is no whole path; begin it with / or ~/"),
    ('blobs = "~/gone"', ":1: blobs: ~/gone is not there; it is left out"),
    ("roots = []", ":1: roots: no folder is named; leave it out for the agents' own"),
    ('roots = ["/", "~/gone"]', ":1: roots: ~/gone is not there; it is left out"),
    ("limits = 3", ":1: no setting is called 'limits'; did you mean limits.hits?"),
    ("limits.hits = true", ":1: limits.hits: true is no whole number from 1 to 1099511627776"),
    ("limits.hits = 0", ":1: limits.hits: 0 is no whole number from 1 to 1099511627776"),
    ("limits.hits = 1.5", ":1: limits.hits: 1.5 is no whole number from 1 to 1099511627776"),
    (f"limits.hits = {1 << 62}", ":1: limits.hits: 4611686018427387904 is no whole number from 1 to 1099511627776"),
    ("limits.read_bytes = 3", ":1: limits.read_bytes: 3 is no whole number from 4 to 1099511627776"),
    ("limits.hit = 5", ":1: no setting is called 'limits.hit'; did you mean limits.hits?"),
    ('keys = "x"', ":1: no setting is called 'keys'; `unspool settings --show` lists what there is"),
    ('[keys]\n"eror.next" = "x"', ":2: no command is called 'eror.next'; did you mean error.next?"),
    ('[keys]\nerror.next = "crtl+x"', f":2: keys.error.next: no key is called 'crtl+x'; {WRITTEN}"),
    ("[keys]\nerror.next = 5", ':2: keys.error.next: 5 is not a key, as "n" or ["n", "ctrl+n"]'),
    ("[keys]\nerror.next = []", ":2: keys.error.next: no key is named; leave it out to keep e"),
    ('[keys]\napp.stop = "x"', f":2: keys.app.stop: 'x' {WHILE_TYPING}"),
    ('[keys]\nerror.next = "p"', f":2: keys.error.next: p is bound to piece.peer too; {STAYS}"),
    ('[keys]\nerror.next = "f7"\nturn.next = "f7"', f":3: keys.turn.next: f7 is bound to error.next too; {STAYS}"),
    ('[keys]\nerror.next = "?"', f":2: keys.error.next: ? is bound to app.help too; {STAYS}"),
    ('[keys]\nerror.next = "f3"\n"error.next" = "f4"', ":2: keys.error.next: set twice; the first one holds"),
    (f'theme = "{"x" * 1000}"', f":1: theme: '{'x' * 38}… is not one of auto, dark, light"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG_VALUES)
def test_a_wrong_value_costs_only_itself_and_one_line_names_it(home: Path, text: str, said: str) -> None:
    path = write(home, text)
    good = f'marks = "ascii"\n{text}' if not text.startswith("marks") else f'theme = "light"\n{text}'
    assert only_fault(load(home, text)) == f"{path}{said}"
    settings = load(home, good)
    assert settings.ascii or not settings.dark
    assert len(settings.faults) == 1


def test_what_is_wrong_leaves_the_usual_value(home: Path) -> None:
    settings = load(home, 'theme = 3\nroots = ["/gone"]\nlimits.hits = -1\n[keys]\nerror.next = "p"\nturn.next = ""')
    assert len(settings.faults) == 5
    usual = Settings()
    assert (settings.dark, settings.roots, settings.limits, dict(settings.keys)) == (
        usual.dark, usual.roots, usual.limits, usual.keys,
    )  # fmt: skip


UNUSABLE = (
    (b"theme = ", f":1: no TOML (Invalid value); {UNTIL}"),
    (b"theme = 'dark'\nx = [1,\n\n", f":2: no TOML (Invalid value); {UNTIL}"),
    (b"\n\na b", f":3: no TOML (Expected '=' after a key in a key/value pair); {UNTIL}"),
    (b"\na = '" + b"9" * 5000, ":2: longer than 4,096 characters; the defaults are used"),
    (b"a = 0x" + b"9" * 4000, None),
    (b"a = " + b"9" * 4090, None),
    (b"a = " + b"[" * 4000, None),
    (b"a" + b".a" * 2000 + b" = 1", None),
    (b"[a" + b".a" * 2000 + b"]", None),
    (b"\na = '\xff'", ":2: not UTF-8; save it as UTF-8, until then the defaults are used"),
    (b"\xff\xfea\0", ":1: not UTF-8; save it as UTF-8, until then the defaults are used"),
    (b"# long\n" * 10_000, ": cannot be read (it is larger than 32,768 bytes); the defaults are used"),
    (b"a = '\x1b[31m'", None),
)  # fmt: skip


@pytest.mark.parametrize(("content", "said"), UNUSABLE, ids=range(len(UNUSABLE)))
def test_a_file_that_cannot_be_used_is_told_in_one_line(home: Path, content: bytes, said: str | None) -> None:
    settings = load(home, content)
    fault = only_fault(settings)
    assert fault.startswith(settings.path)
    assert fault.endswith(said or "the defaults are used") or "called" in fault
    assert len(fault) < len(settings.path) + 200
    assert settings.limits == CALM


def test_a_folder_a_pipe_and_a_file_that_may_not_be_read_are_told(home: Path) -> None:
    path = home / ".config/unspool/settings.toml"
    path.mkdir(parents=True)
    assert only_fault(load_settings({}, str(home))) == f"{path}: cannot be read (it is a folder); the defaults are used"
    path.rmdir()
    os.mkfifo(path)
    assert "(it is no regular file)" in only_fault(load_settings({}, str(home)))
    path.unlink()
    path.symlink_to(path)
    assert "cannot be read (Too many levels of symbolic links)" in only_fault(load_settings({}, str(home)))


def test_a_file_that_was_asked_for_must_be_there_and_none_can_be_asked_for(home: Path) -> None:
    write(home, 'theme = "light"')
    gone = str(home / "gone.toml")
    settings = load_settings({"UNSPOOL_SETTINGS": gone}, str(home))
    assert only_fault(settings) == f"{gone}: no such file; the defaults are used"
    assert settings.dark
    none = load_settings({"UNSPOOL_SETTINGS": os.devnull}, str(home))
    assert (none.faults, none.dark) == ((), True)


def test_the_folder_of_settings_is_that_of_xdg_unless_it_is_relative(home: Path) -> None:
    assert load_settings({"XDG_CONFIG_HOME": "/etc/xdg"}, str(home)).path == "/etc/xdg/unspool/settings.toml"
    assert load_settings({"XDG_CONFIG_HOME": "etc"}, str(home)).path == str(home / ".config/unspool/settings.toml")


def test_marks_at_the_head_of_a_file_and_foreign_line_ends_are_read_over(home: Path) -> None:
    assert not load(home, b'\xef\xbb\xbftheme = "light"\r\nmarks = "ascii"\r\n').dark
    assert load(home, b'\xef\xbb\xbftheme = "light"\r\nmarks = "ascii"\r\n').told["marks"].line == 2


def test_the_command_line_goes_before_the_environment_before_the_file_before_the_last_run(home: Path) -> None:
    def source(text: str, given: Given | None = None, last: str | None = None, **environ: str) -> tuple[str, str, bool]:
        write(home, text)
        settings = load_settings(environ, str(home), given=given, last_theme=last)
        told = settings.told["theme"]
        return told.kind, told.where, settings.dark

    path = str(home / ".config/unspool/settings.toml")
    light = {"UNSPOOL_THEME": "light"}
    assert source('theme = "light"', Given(theme="dark"), "light", **light) == ("command line", "--theme", True)
    assert source('theme = "dark"', None, "dark", **light) == ("environment", "UNSPOOL_THEME", False)
    assert source('theme = "light"', None, "dark") == ("file", path, False)
    assert source("", None, "light") == ("last run", "", False)
    assert source("", None, None) == ("default", "", True)
    assert source("", None, "pink") == ("default", "", True)


def test_a_wrong_variable_is_told_and_passed_over(home: Path) -> None:
    settings = load(home, 'theme = "light"', UNSPOOL_THEME="drak", UNSPOOL_MARKS="")
    assert only_fault(settings) == "UNSPOOL_THEME: 'drak' is not one of auto, dark, light"
    assert settings.told["theme"].kind == "file"


@pytest.mark.parametrize(("ground", "dark"), [("15;0", True), ("0;15", False), ("0;default;7", False), ("", True)])
def test_auto_takes_the_theme_of_the_terminals_ground_where_that_is_told(home: Path, ground: str, dark: bool) -> None:
    assert load(home, 'theme = "auto"', COLORFGBG=ground).dark is dark


@pytest.mark.parametrize(
    ("encoding", "marks", "plain"),
    [("utf-8", "auto", False), ("UTF8", "auto", False), (None, "auto", False), ("iso-8859-15", "auto", True),
     ("ascii", "auto", True), ("odd", "auto", True), ("utf-8", "ascii", True), ("latin-1", "unicode", False)],
)  # fmt: skip
def test_a_terminal_without_utf8_gets_ascii_marks(home: Path, encoding: str | None, marks: str, plain: bool) -> None:
    write(home, f'marks = "{marks}"')
    assert load_settings({}, str(home), encoding=encoding).ascii is plain


def test_two_commands_may_change_places() -> None:
    assert without_clashes({"error.next": ("n",), "match.next": ("e",)})[1] == {}


def test_what_falls_back_to_its_usual_key_takes_it_from_who_had_it_meanwhile() -> None:
    kept, refused = without_clashes({"error.next": ("n",), "match.next": ("p",)})
    assert kept == {}
    assert set(refused) == {"error.next", "match.next"}


def test_one_key_may_do_different_things_in_different_places() -> None:
    assert without_clashes({"sessions.live": ("p",), "filter.complete": ("ctrl+l",), "reader.raw": ("f",)})[1] == {}


def test_the_usual_keys_do_not_clash() -> None:
    assert without_clashes(USUAL)[1] == {}


@given(st.dictionaries(st.sampled_from(sorted(COMMANDS)), st.sampled_from("abcdefghijklmnop").map(lambda key: (key,))))
def test_what_is_kept_has_no_clash_left_and_nothing_is_forgotten(wanted: dict[str, tuple[str, ...]]) -> None:
    kept, refused = without_clashes(wanted)
    assert kept.keys() | refused.keys() == wanted.keys()
    assert not kept.keys() & refused.keys()
    assert without_clashes(kept) == (kept, {})


def test_a_key_that_is_shown_can_be_written() -> None:
    for key in {key for keys in USUAL.values() for key in keys} | set(NAMES.values()):
        assert parse_key(shown_key(key)) == key
        assert parse_key(shown_key(key, words=True)) == key
        assert parse_key(key) == key


def test_keys_have_the_names_that_the_screen_library_gives_them() -> None:
    from textual.keys import _character_to_key

    assert {sign: _character_to_key(sign) for sign in NAMES} == NAMES
    written = {"ctrl+N": "ctrl+n", "Shift+a": "A", "ctrl+alt+UP": "alt+ctrl+up", "é": "é", ",": "comma", " ": "space"}
    assert {each: parse_key(each) for each in written} == written
    assert [parse_key(each) for each in ("", "ctrl+", "f25", "ab", "\x1b", "+x", "n\n")] == [None] * 7


async def test_the_app_starts_with_what_can_be_used_and_says_what_cannot(told: tuple[Path, str], home: Path) -> None:
    settings = load(home, 'theme = "light"\nmarks = 5\n[keys]\nerror.next = "f7"\nturn.next = "f7"')
    for target in (None, told[1]):
        app = app_on(told[0], target, settings)
        async with app.run_test(size=MEDIUM) as pilot:
            await settle(pilot)
            assert app.theme == "unspool-light"
            bar = Grid(app)[35]
            assert "✗ settings.toml:2: marks: 5 is not one of auto, ascii, unicode  and 1 more" in bar
            assert "? help" in bar


@pytest.mark.parametrize(("limits", "many"), [(Limits(hits=1), False), (Limits(hits_each=1), True)])
async def test_limits_bound_the_search_over_all_sessions(day: Path, limits: Limits, many: bool) -> None:
    app = app_on(day, None, Settings(limits=limits))
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await press(pilot, "s", *"the", "enter")
        rows = [row[1:].strip() for row in list(Grid(app))[2:23]]
        hits = [row for row in rows if row.startswith("E")]
        titles = [row for row in rows if row and not row.startswith("E")]
        assert (len(titles) > 5) is many
        assert abs(len(hits) - len(titles)) <= 1  # the last one's may be cut off


@pytest.mark.parametrize(
    ("environ", "plain"),
    [
        ({"LC_ALL": "C"}, True),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),  # Python's own doing
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, False),
        ({"LC_ALL": "", "LANG": "en_GB.UTF-8"}, False),
        ({"LC_ALL": "C.UTF-8"}, False),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "C"}, False),
        ({}, False),
    ],
)
def test_marks_are_ascii_where_a_person_asks_for_the_plain_locale(
    home: Path, environ: dict[str, str], plain: bool
) -> None:
    assert load(home, 'marks = "auto"', **environ).ascii is plain
    assert load(home, 'marks = "unicode"', **environ).ascii is False
