"""Text made to fit, and made harmless."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gradwatch.tui.lines import (
    cut,
    cut_front,
    cut_middle,
    fit,
    folded,
    safe,
    spread,
    width_of,
    wrap,
)
from gradwatch.tui.tables import Column, row, widths

TEXT = st.text(st.characters(categories=("L", "M", "N", "P", "S", "Zs")), max_size=80).map(safe)
LINES = st.lists(st.tuples(TEXT, st.just("text")), max_size=5)


@given(LINES, st.integers(0, 60))
def test_a_fitted_line_is_exactly_as_wide_as_asked(line, width):
    assert width_of(fit(line, width)) == width


@given(LINES, LINES, st.integers(0, 60))
def test_both_ends_take_exactly_the_width(left, right, width):
    assert width_of(spread(left, right, width)) == width


@given(TEXT, st.integers(0, 60), st.integers(0, 5))
def test_wrapped_text_is_never_wider_or_longer_than_asked(text, width, rows):
    lines = wrap(text, width, rows)
    assert len(lines) <= rows
    assert all(cell_len(line) <= width for line in lines)


@given(TEXT)
def test_wrapping_loses_nothing_where_there_is_room(text):
    assert "".join(wrap(text, 20, 100)).replace(" ", "") == "".join(text.split())


@given(TEXT, st.integers(0, 40), st.sampled_from([cut, cut_front, cut_middle]))
def test_what_was_cut_fits(text, width, way):
    assert cell_len(way(text, width)) <= width


def test_what_was_cut_says_so():
    assert cut("train.py:19", 6) == "train…"
    assert wrap("the loss reaches the graphs", 10, 2) == ["the loss", "reaches …"]


@pytest.mark.parametrize("steering", ["\x1b[2J", "\u202egpj", "\x9b31m", "a\nb", "\x07", "\u2066"])
def test_what_steers_a_terminal_is_spelled_out(steering):
    assert safe(steering).isprintable()


COLUMNS = (Column("a", 6), Column("b", 4, right=True, rank=2), Column("c", 5, grow=1, rank=1))


@given(st.integers(0, 60), st.lists(LINES, min_size=3, max_size=3))
def test_a_row_is_exactly_as_wide_as_asked(width, cells):
    assert width_of(row(COLUMNS, width, cells)) == width


@pytest.mark.parametrize(
    ("room", "expected"),
    [(40, [6, 4, 24]), (21, [6, 4, 5]), (20, [6, 0, 10]), (14, [6, 0, 0]), (4, [2, 0, 0])],
)
def test_columns_of_low_rank_stay_and_growing_ones_take_what_is_left(room, expected):
    assert widths(COLUMNS, room) == expected


def test_a_column_takes_no_more_room_than_it_can_use():
    columns = (Column("a", 5, grow=1, most=8), Column("b", 5, grow=1), Column("c", 5))
    assert widths(columns, 2 + 15 + 4 + 10) == [8, 12, 5]
    assert widths(columns[:1], 50) == [8]


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (2 + 30, [5, 5, 5, 9]),
        (2 + 25, [5, 5, 0, 11]),
        (2 + 19, [5, 5, 0, 5]),
        (2 + 12, [5, 0, 0, 5]),
    ],
)
def test_what_can_be_done_without_gives_way_to_what_is_wanted(room, expected):
    columns = (
        Column("a", 5),
        Column("b", 5, rank=1),
        Column("c", 5, rank=4),
        Column("d", 5, grow=1, wants=9),
    )
    assert widths(columns, room) == expected


def test_a_column_without_a_width_is_left_out_with_its_gap():
    columns = (Column("a", 5), Column("b", 0, grow=1), Column("c", 5, grow=1))
    assert widths(columns, 2 + 10 + 2 + 7) == [5, 0, 12]


def test_numbers_stand_at_the_right():
    cells = [[("x", "text")], [("7", "text")], [("y", "text")]]
    assert "".join(text for text, _ in row(COLUMNS, 24, cells)) == " x          7  y        "


def test_of_a_path_that_is_too_long_the_end_is_seen():
    columns = (Column("where", 11, keeps="one"),)
    line = row(columns, 13, [[("carried_estimate.py:37", "text")]])
    assert "".join(text for text, _ in line) == " …mate.py:37 "


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (26, "△ GRAPH HELD  rank 1: kept"),
        (25, "△ GRAPH HELD  rank 1: …"),
        (16, "△ GRAPH HELD  …"),
        (14, "△ GRAPH HELD"),
    ],
)
def test_of_words_that_are_too_many_none_is_cut(width, told):
    columns = (Column("finding", width, keeps="words"),)
    line = row(columns, width + 2, [[("△ GRAPH HELD  ", "warning"), ("rank 1: kept", "muted")]])
    assert "".join(text for text, _ in line).strip() == told


def test_of_a_name_that_is_too_long_both_ends_are_seen():
    columns = (Column("job", 17, keeps="ends"),)
    line = row(columns, 19, [[("carried-estimate-retained", "text")]])
    assert "".join(text for text, _ in line) == " carried…-retained "


@pytest.mark.parametrize(
    ("line", "width", "rows"),
    [
        ([("abc", "text"), ("def", "code")], 10, ["abcdef"]),
        ([("abc", "text"), ("def", "code")], 4, ["abcd", "ef"]),
        ([("abc", "text"), ("def", "code")], 3, ["abc", "def"]),
        ([("日本語", "text")], 3, ["日", "本", "語"]),
        ([("a    b", "text")], 2, ["a ", "  ", " b"]),
        ([], 5, [""]),
    ],
)
def test_a_folded_line_is_whole(line, width, rows):
    assert ["".join(text for text, _ in row) for row in folded(line, width)] == rows


def test_a_line_that_is_cut_between_two_pieces_says_so():
    pieces = [("abc", "text"), ("def", "code")]
    assert [text for text, _ in fit(pieces, 3)] == ["ab…"]
    assert [text for text, _ in fit([*pieces, ("  ", "text")], 6)] == ["abc", "def"]


def test_code_in_a_sentence_is_not_broken_where_a_line_has_room_for_it():
    said = "Start each one from: `h = h.detach()`, or not."
    assert wrap(said, 26, 3) == ["Start each one from:", "`h = h.detach()`, or not."]
    assert " ".join(wrap(said, 12, 9)) == said
