"""Texts that are hard to show, to search or to share: control characters, wide letters, secrets."""

from __future__ import annotations

from pathlib import Path

from tests.factories.damage import either
from tests.factories.expected import Expected

CONTROLS = ("\x1b", "\x07", "\x08", "\x7f", "\x9b", "\x9d", "\u202e")
"""What never reaches a terminal."""


def terminal_escapes(home: Path, seed: int) -> Expected:
    """Escape sequences, C1 controls and bidi overrides in every text; the words between them stay readable."""
    lines, names = either(home, seed)
    red, link, tail, bidi, title = (names.needle() for _ in range(5))
    lines.user(f"Show \x1b]0;OWNED\x07 {title}")
    call = lines.call("cat \x1b]52;c;cHduZWQ=\x07 banner")
    pieces = [
        f"\x1b[31m{red}\x1b[0m",
        f"\x1b]8;;https://evil.invalid\x1b\\{link}\x1b]8;;\x1b\\",
        "\x1bP1$r0m\x1b\\dcs",
        "\x9b31mC1",
        "\x9d0;C1\x07",
        "back\b\b\b\bSPOOF",
        "del\x7f",
        "\x1b[?1049h\x1b[2J",
        "so\x0e si\x0f nul\0",
    ]
    names.rng.shuffle(pieces)
    lines.result(call, " ".join([*pieces, f"unfinished \x1b]0;never closed {tail}"]))
    lines.answer(f"safe \u202egnp.exe\u202c and \u2066iso\u2069 {bidi}")
    return lines.save().expected(find=dict.fromkeys((red, link, tail, bidi, title, "SPOOF"), 1), must_not=CONTROLS)


def wide_text(home: Path, seed: int) -> Expected:
    """Double-width, joined and combining characters, right-to-left text, a title wider than any screen."""
    lines, names = either(home, seed)
    needle = names.needle()
    title = f"幅 \U0001f468\u200d\U0001f469\u200d\U0001f467 {needle} " + "長" * names.rng.randrange(60, 120)
    lines.user(title)
    rows = ["日本語テキスト|", "e\u0301e\u0301e\u0301|", "שלום עולם|", "\U0001f1eb\U0001f1ee\U0001f44d|", "ｱｲｳ|"]
    lines.answer("\n".join(names.rng.sample(rows, len(rows))))
    return lines.save().expected(title=title, find={needle: 1, "日本語": 1, "e\u0301": 1, "עולם": 1})


def unspaced_scripts(home: Path, seed: int) -> Expected:
    """Words inside runs without spaces, letters that fold to more than one, and case in other scripts."""
    lines, _ = either(home, seed)
    lines.user("明天下午三点开项目评审会议")
    lines.answer("重跑gen-itgc后50条悬空引用清零")
    lines.user("修改youer服务端 STRASSE ΟΔΟΣ")
    lines.answer("東京タワーの資料 한국어검색 Straße İstanbul οδος")
    once = ("项目评审", "悬空", "itgc", "YOUER", "服务端", "タワー", "검색", "会")
    return lines.save().expected(find=dict.fromkeys(once, 1) | {"strasse": 2, "οδοσ": 2, "不存在": 0})


def secret_shapes(home: Path, seed: int) -> Expected:
    """Strings shaped like secrets, all invented: found in the session, masked in what is shared."""
    lines, names = either(home, seed)
    letters = names.rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=36)
    fake = "".join(letters)
    secrets = (
        f"sk-ant-api03-{fake}{fake}",
        f"ghp_{fake}",
        f"AKIA{fake[:16]}",
        f"postgres://demo:{fake[:9]}@db.invalid/x",
    )
    lines.user(names.prompt())
    needle = names.needle()
    lines.result(lines.call("printenv"), "\n".join([*secrets, needle]))
    lines.answer(names.sentence())
    return lines.save().expected(find={needle: 1, fake[:16]: 1})
