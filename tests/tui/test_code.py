"""Source as lines, and a suggestion as a change."""

from __future__ import annotations

import pytest

from gradwatch.tui.change import Change, change_of
from gradwatch.tui.code import bounded, culprit, highlighted, listing
from gradwatch_agent import wire


def finding(**more: object) -> wire.Finding:
    return wire.Finding(
        **{
            "kind": "graph-held", "level": "warning", "state": "raised", "time": "", "run": "",
            "job": "", "host": "", "pid": 1, "rank": 0, "iteration": 1, "since_iteration": 0,
            "message": "", **more,
        }
    )  # fmt: skip


def text(lines) -> list[str]:
    return ["".join(piece for piece, _ in line).rstrip() for line in lines]


def test_shared_indent_goes_and_the_rest_stays():
    assert bounded(("    a:", "        b", "", "    c")) == ("a:", "    b", "", "c")


def test_a_statement_over_several_lines_is_marked_whole():
    lines = ("x = 1", "y = f(", "    a,", "    b,", ")", "z = 2")
    found = finding(line=11, code="y = f( a, b, )")
    assert culprit(found, 10, lines) == range(11, 15)


def test_only_the_line_is_marked_where_the_statement_is_another():
    assert culprit(finding(line=11, code="other"), 10, ("x", "y", "z")) == range(11, 12)


def test_the_listing_shows_so_many_lines_around():
    found = finding(line=12, code="c", source=wire.Excerpt(10, ("a", "b", "c", "d", "e")))
    assert text(listing(found, 40, 1)) == ["      11  b", " ▶    12  c", "      13  d"]


def test_what_is_python_has_inks_and_what_is_not_has_words():
    lines = ('for x in y:  # "all"', "    s = 'a' + 1", "\x1b [bold] )( \u202e")
    inked = [dict(row) for row in highlighted(lines)]
    assert inked[0]["for"] == "keyword"
    assert inked[0]['# "all"'] == "comment"
    assert inked[1]["1"] == "number"
    assert ["".join(piece for piece, _ in row) for row in highlighted(lines)] == list(lines)


@pytest.mark.parametrize(
    ("suggestion", "code", "expected"),
    [
        (
            "At the start of each iteration: `h = h.detach()`; or build it anew.",
            "h = cell(x, h)",
            Change(
                "At the start of each iteration:", after="h = h.detach()",
                also="Or build it anew.",
            ),
        ),
        (
            "At the start of each iteration: `h = tuple(t.detach() for t in h)`; or so.",
            "out, h = lstm(x, h)",
            Change(
                "At the start of each iteration:",
                after="h = tuple(t.detach() for t in h)", also="Or so.",
            ),
        ),
        (
            "Once backward is done: `net.lif.detach_hidden()`, which nothing does so far.",
            "self.mem = current",
            Change(
                "Once backward is done:", after="net.lif.detach_hidden()",
                also="Which nothing does so far.",
            ),
        ),
        (
            "Store it without its graph: `history.append(loss.detach())`.",
            "history.append(loss)",
            Change(
                "Store it without its graph:", before="history.append(loss)",
                after="history.append(loss.detach())",
            ),
        ),
        (
            "Store it without its graph: `self.log[k] = v.detach()`.",
            "self.log[k]=v",
            Change("Store it without its graph:", before="self.log[k]=v",
                   after="self.log[k] = v.detach()"),
        ),
        ("Leave retain_graph away.", "c.backward()", Change("Leave retain_graph away.")),
        (
            "Bound `history` (1,024 elements by now): keep numbers.",
            "history.append(loss)",
            Change("Bound `history` (1,024 elements by now): keep numbers."),
        ),
        ("Store it so: `other(loss)`.", "history.append(x)", Change("Store it so: `other(loss)`.")),
        (None, None, Change("")),
    ],
)  # fmt: skip
def test_a_suggestion_reads_as_a_change(suggestion, code, expected):
    assert change_of(finding(suggestion=suggestion, code=code)) == expected
