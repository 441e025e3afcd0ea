"""Numbers in words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch.tui import units

NUMBERS = st.one_of(
    st.none(),
    st.floats(),
    st.integers(),
    st.integers(min_value=-(2**63), max_value=2**64),
)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (14, "14"), (999, "999"), (3_110, "3.1 k"), (999_950, "1 M"), (0.5, "0.5")],
)
def test_tick(value, words):
    assert units.tick(value) == words


def test_there_is_no_half_a_node():
    assert [units.whole_tick(value) for value in (0, 1.5, 3)] == ["0", "", "3"]


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0 B"), (512, "512 B"), (48e6, "48 MB"), (1_250_000_000, "1.2 GB"), (999_999, "1 MB")],
)
def test_size(value, words):
    assert units.size(value) == words


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ((0.0, 47.0), ["0 s", "24 s", "47 s"]),
        ((19.0, 20.0), ["19.0 s", "19.5 s", "20.0 s"]),
        ((64.0, 74.0), ["1:04", "1:09", "1:14"]),
        ((64.0, 65.0), ["1:04.0", "1:04.5", "1:05.0"]),
        ((0.0, 120.0), ["0:00", "1:00", "2:00"]),
        ((0.0, 1_200.0), ["0 s", "10 min", "20 min"]),
        ((11_400.0, 11_420.0), ["3:10:00", "3:10:10", "3:10:20"]),
        ((0.0, 22_800.0), ["0 s", "3 h 10 min", "6 h 20 min"]),
        ((90_000.0, 90_060.0), ["25:00:00", "25:00:30", "25:01:00"]),
        ((0.0, 1e12), ["0 s", "over a year", "over a year"]),
        ((0.0, math.inf), ["0 s", "–", "–"]),
    ],
)
def test_a_moment_is_told_as_finely_as_its_span_needs(span, words):
    assert [units.moment(at, span) for at in (span[0], sum(span) / 2, span[1])] == words


@given(st.floats(0, 1e6), st.floats(1e-4, 1e6))
def test_the_ends_of_a_span_and_its_middle_have_words_of_their_own(first, width):
    span = first, first + width
    assert len({units.moment(at, span) for at in (span[0], first + width / 2, span[1])}) == 3


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (85e-6, "85 µs"),
        (0.092, "92 ms"),
        (1.53, "1.5 s"),
        (25, "25 s"),
        (59.7, "1 min"),
        (125, "2 min"),
        (11_400, "3 h 10 min"),
        (93_600, "1 d 2 h"),
        (1e12, "over a year"),
        (-3, "-3 s"),
    ],
)
def test_duration(seconds, words):
    assert units.duration(seconds) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0 %"),
        (0.0004, "<0.1 %"),
        (0.004, "0.4 %"),
        (0.42, "42 %"),
        (0.9999, "99 %"),
        (1, "100 %"),
        (1e300, "999 %"),
    ],
)
def test_share(value, words):
    assert units.share(value) == words


@pytest.mark.parametrize(
    ("value", "of", "words"),
    [
        (41e9, 80e9, "41/80 GB"),
        (48e6, 64e9, "48 MB/64 GB"),
        (48e6, None, "48 MB"),
        (None, 80e9, "–"),
        (48e6, 0, "48 MB"),
    ],
)
def test_part(value, of, words):
    assert units.part(value, of) == words


@pytest.mark.parametrize(
    ("value", "words"), [(12.42, "12.4"), (0.314, "0.31"), (250.4, "250"), (1_234, "1.2 k")]
)
def test_rate(value, words):
    assert units.rate(value) == words


def test_whole_shows_every_digit():
    assert units.whole(1_234_567) == "1,234,567"


def test_signed():
    assert [units.signed(n, str(abs(n))) for n in (5, 0, -5)] == ["+5", "±0", "−5"]


def test_clock_of_no_moment_is_a_dash():
    assert [units.clock(at) for at in (math.nan, math.inf, 1e30, -1e30)] == ["–"] * 4


@given(NUMBERS)
def test_any_number_becomes_a_short_word_without_nan(value):
    words = [
        f(value) for f in (units.tick, units.count, units.size, units.duration, units.share,
                           units.rate, units.whole)
    ]  # fmt: skip
    for word in words:
        assert word
        assert "nan" not in word.lower()
        assert "inf" not in word.lower()
        assert word.isprintable()


@given(st.floats(min_value=0, max_value=1e19))
def test_labels_fit_their_column(value):
    assert len(units.tick(value)) <= 7
    assert len(units.size(value)) <= 7


@given(st.floats(min_value=0, allow_nan=False, allow_infinity=False))
def test_the_top_is_not_below_and_not_far_above(value):
    top = units.nice_top(value)
    assert top >= value * (1 - 1e-9)
    assert value < 1e-300 or top <= 2 * value


@given(st.lists(st.floats(min_value=1e-6, max_value=1e15), min_size=2))
def test_words_grow_with_their_numbers(values):
    tops = [units.nice_top(value) for value in sorted(values)]
    assert tops == sorted(tops)
