"""Laws of redaction: a secret goes whole or not at all, however the text comes and whatever hides in it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.export.fakes import Fake, fakes, key_block
from unspool.export.redaction import HELD_CHARACTERS, Redactor
from unspool.export.seen import Seen, hides
from unspool.text import clean

EVERY = [fake for _rule, fake in fakes(7)]
PIECE = 8
"""Characters of a secret that are no accident."""

UNSEEN = ("\x1b[31m", "\x1b[K", "\x1b]8;;x\x07", "\u200b", "\u202e", "\x00", "\x9b1m", "\ufeff", "\U000e0041")


def traces(secret: str, text: str) -> list[str]:
    """Return the pieces of a secret that stand in a text."""
    return [secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1) if secret[at : at + PIECE] in text]


def blocks(text: str, *borders: int) -> Iterator[str]:
    """Cut a text at some places."""
    places = sorted({0, len(text), *(border % (len(text) + 1) for border in borders)})
    return (text[first:last] for first, last in pairwise(places))


@given(st.lists(st.tuples(st.sampled_from(EVERY), st.text(max_size=20)), max_size=4), st.lists(st.integers(0, 4_000)))
def test_blocks_give_what_the_whole_gives(parts: list[tuple[Fake, str]], borders: list[int]) -> None:
    text = "\n".join(f"{fake.text}\n{between}" for fake, between in parts)
    whole, piecewise = Redactor(), Redactor()
    assert "".join(piecewise.blocks(blocks(text, *borders))) == whole.text(text)
    assert piecewise.counts == whole.counts


@pytest.mark.parametrize("fake", EVERY, ids=lambda fake: fake.text[:12])
def test_a_secret_on_the_border_of_what_is_held_is_replaced_whole(fake: Fake) -> None:
    before, behind = "word " * 100, "word " * (HELD_CHARACTERS // 4)
    middle = fake.text.index(fake.secret) + len(fake.secret) // 2
    text = f"{before}\n{fake.text}\n{behind}"
    for border in (3, middle // 2, middle, len(fake.text) - 1):
        first = len(before) + 1 + border + HELD_CHARACTERS
        held = [text[:first], text[first:]]
        shown = "".join(Redactor().blocks(held))
        assert shown == Redactor().text(text)
        assert not traces(fake.secret, shown)


def test_a_secret_longer_than_what_is_held_is_replaced_whole_and_not_held() -> None:
    rng = random.Random(8)
    long = "7Q" + "".join(rng.choices("abcXYZ019", k=5 * HELD_CHARACTERS))
    text = f"export API_TOKEN={long} && ls"
    pieces = list(Redactor().blocks(text[at : at + 10_000] for at in range(0, len(text), 10_000)))
    assert "".join(pieces) == "export API_TOKEN=[redacted: secret-value] && ls"


def test_a_key_without_an_end_is_swallowed_by_blocks() -> None:
    line = "7Q" + "abcXYZ019+/" * 5 + "\n"
    text = "-----BEGIN " + "PRIVATE KEY-----\n" + line * 6_000 + "\nand then, prose."
    shown = "".join(Redactor().blocks(text[at : at + 10_000] for at in range(0, len(text), 10_000)))
    assert shown.startswith("[redacted: private-key]")
    assert shown.endswith("and then, prose.")
    assert len(shown) < 100


@given(st.sampled_from(EVERY), st.lists(st.tuples(st.integers(0, 200), st.sampled_from(UNSEEN)), max_size=6))
def test_what_is_not_seen_hides_no_secret(fake: Fake, planted: list[tuple[int, str]]) -> None:
    begin = fake.text.index(fake.secret)
    text = fake.text
    for place, sign in sorted({begin + at % len(fake.secret): sign for at, sign in planted}.items(), reverse=True):
        text = text[:place] + sign + text[place:]
    assert not traces(fake.secret, Seen.of(Redactor().text(text)).text)
    assert not traces(fake.secret, clean(Redactor().text(text)))


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x1b\x9b[]m;\x07ab")), max_size=40))
def test_what_cleaning_drops_is_not_seen(text: str) -> None:
    seen = Seen.of(text).text
    assert not hides(seen)
    assert not [sign for sign in seen if not clean(sign)]


@given(st.text(alphabet=st.sampled_from("ab\x1b[31m\u200b"), max_size=30))
def test_the_way_back_from_what_is_seen_leads_to_the_same_characters(text: str) -> None:
    seen = Seen.of(text)
    for place, sign in enumerate(seen.text):
        start, _stop = seen.span(place, place + 1)
        assert text[start] == sign


@pytest.mark.parametrize("fake", [fake for fake in EVERY if "@host" not in fake.text], ids=lambda fake: fake.text[:12])
def test_a_token_that_was_cut_off_is_not_shown_by_half(fake: Fake) -> None:
    begin = fake.text.index(fake.secret)
    for end in range(begin + len(fake.secret) // 2, begin + len(fake.secret)):
        for dots in ("", "…", "..."):
            shown = Redactor().text(fake.text[:end] + dots)
            assert len(traces(fake.secret, shown)) < max(2, len(fake.secret) // 2), (end, shown)


def test_up_to_a_place_a_secret_that_crosses_it_is_replaced_whole() -> None:
    fake = key_block()(random.Random(9))
    text = f"$ cat key\n{fake.text}\ndone"
    assert Redactor().text(text, len(text) // 2) == "$ cat key\n[redacted: private-key]"


def test_the_name_of_a_value_tells_that_it_is_secret() -> None:
    redactor = Redactor()
    assert redactor.named("password", "hunter22") == "[redacted: secret-value]"
    assert redactor.named("Authorization", "Bearer abc12345") == "Bearer [redacted: authorization-header]"
    assert redactor.named("command", "echo hunter22") == "echo hunter22"
    assert redactor.named("token", "ghp_" + "aB3" * 12) == "[redacted: github-token]"
    assert redactor.counts == {"secret-value": 1, "authorization-header": 1, "github-token": 1}


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ('DB_PASSWORD: "', '"'),
        ("DB_PASSWORD: '", "'"),
        ('DB_PASSWORD="', '"'),
        ("export DB_PASSWORD='", "'"),
        ('db_password = "', '"  # of the test database'),
        ("password = '''", "'''"),
        ('password = """', '"""'),
        ('{"user": "a", "password": "', '", "port": 1}'),
        ('"{\\"password\\": \\"', '\\"}"'),
        ("client_secret: '", "'"),
        ("$ mysql --password '", "' -u me"),
        ('PRIVATE_TOKEN: "', '"'),
    ],
)
def test_a_secret_of_several_words_is_replaced_to_its_closing_quote(before: str, behind: str) -> None:
    assert Redactor().text(f"{before}correct horse{behind}") == f"{before}[redacted: secret-value]{behind}"


@pytest.mark.parametrize("line", ["password: 'it''s my dog'", 'PASSWORD: "my dog \\"Rex\\" barks"'])
def test_a_quote_within_a_secret_does_not_end_it(line: str) -> None:
    assert "dog" not in Redactor().text(line)
    assert "bark" not in Redactor().text(line)


@pytest.mark.parametrize("ending", ["", "…", "..."])
def test_a_secret_of_several_words_that_was_cut_off_is_not_shown_by_half(ending: str) -> None:
    assert "horse" not in Redactor().text(f'DB_PASSWORD: "correct horse bat{ending}')


@pytest.mark.parametrize(
    "line",
    [
        'WRONG_PASSWORD: "Password is not right"',
        'password: "Enter what you chose"',
        'forgotPassword: "Forgot it?"',
        'token: "the quick fox"',
        '"tokens": "some more of them"',
        "password: correct horse",
    ],
)
def test_a_message_about_a_secret_is_left_alone(line: str) -> None:
    assert Redactor().text(line) == line


def test_a_quiet_look_counts_nothing() -> None:
    redactor = Redactor()
    for fake in EVERY:
        assert fake.secret not in redactor.quietly(fake.text)
    assert not redactor.counts


def test_without_rules_nothing_is_changed() -> None:
    redactor = Redactor(())
    for fake in EVERY:
        assert redactor.text(fake.text) == fake.text
        assert redactor.named("password", fake.text) == fake.text
        assert "".join(redactor.blocks(blocks(fake.text, 3, 9))) == fake.text


ENDLESS = (
    "eyJ", "0meyJ", "eyJa.", "password='", 'password="\\', "token:", "token:1", "secret_key===", "://a:", "://a@",
    "AKIA", "bearer ", "authorization ", "\x1b]", "\x1b[", "ghp_", "sk-", "aA1", "-----BEGIN PRIVATE KEY-----\n",
    "-----END PRIVATE KEY-----\n", "AAAA1111BBBB2222CCCC\n", "--token ", "--token", "api_key>", "a@", "`'\"",
)  # fmt: skip
"""What a rule begins with, again and again."""


@pytest.mark.parametrize("word", ENDLESS)
def test_looking_takes_time_in_proportion_to_the_text(word: str) -> None:
    def seconds(length: int) -> float:
        text = (word * length)[:length]
        begin = time.process_time()
        Redactor().text(text)
        return time.process_time() - begin

    small = min(seconds(8_000) for _ in range(3))
    assert seconds(128_000) < 60 * small + 0.2
