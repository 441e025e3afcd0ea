"""The report of a check says what was seen, also where that is nothing."""

import pytest
from msgspec.structs import replace

from gradwatch.reporting import findings_told, report
from gradwatch_agent import wire
from gradwatch_agent.reporting import told

FINDING = wire.Finding("k", "critical", "raised", "t", "r1", "toy", "here", 7, 0, 9, 2, "m")


@pytest.mark.parametrize(
    ("iterations", "early", "says"),
    [
        (50, None, "50 iterations, nothing found"),
        (50, "stopped", "stopped after 50 iterations, nothing found"),
        (
            5,
            "stopped",
            "stopped after 5 iterations, nothing found; only from 8 on does every plain leak show",
        ),
        (1, "failed", "1 iteration, nothing found"),
        (12, "interrupted", "interrupted after 12 iterations, nothing found"),
        (0, None, "no training iteration was seen; nothing was checked"),
        (0, "failed", "failed before its first iteration ended; nothing was checked"),
        (0, "killed", "ended before it could tell how far it came; nothing found"),
        (0, "interrupted", "interrupted before its first iteration ended; nothing was checked"),
    ],
)
def test_what_was_seen(iterations, early, says):
    assert report("train.py", iterations, [], [], early=early) == f"train.py: {says}"


def test_how_the_script_ended():
    said = report("train.py", 0, [FINDING], [], early="failed", end="the script ended").splitlines()
    assert said[0] == (
        "train.py: failed before its first iteration ended, 1 finding; the script ended"
    )


@pytest.mark.parametrize(
    ("nodes", "size_bytes", "costs"),
    [
        (3.5, 542_037.0, "+3.5 nodes an iteration, +542 kB an iteration"),
        (1234.0, -2_000_000.0, "+1,234 nodes an iteration, -2 MB an iteration"),
    ],
)
def test_what_it_costs_is_told_in_units(nodes, size_bytes, costs):
    finding = replace(FINDING, nodes_per_iteration=nodes, bytes_per_iteration=size_bytes)
    assert f"  costs    {costs}" in told(finding).splitlines()


def test_the_findings_of_several_runs_have_a_heading_each():
    other = replace(FINDING, run="r2", job="run-7", pid=8, rank=1)
    over = replace(FINDING, state="resolved", message="It ended.")
    heads = [text.partition("\n")[0] for text in findings_told([over, other, FINDING])]
    assert heads == [
        "── toy, rank 0 (pid 7 on here): 2 findings",
        "k · critical · since iteration 2, noticed in iteration 9",
        "k · resolved",
        "── run-7, rank 1 (pid 8 on here): 1 finding",
        "k · critical · since iteration 2, noticed in iteration 9",
    ]


def test_the_findings_of_one_run_have_none():
    assert [text[:3] for text in findings_told([FINDING, FINDING])] == ["k ·", "k ·"]


@pytest.mark.parametrize(
    ("kind", "label"),
    [("graph-held", "held by"), ("crashed", "name"), ("inplace-modified", "name")],
)
def test_only_what_keeps_something_is_called_its_holder(kind, label):
    finding = replace(FINDING, kind=kind, holder="loss")
    (told_of,) = [line for line in told(finding).splitlines() if line.endswith(" loss")]
    assert told_of.split() == [*label.split(), "loss"]


def test_the_caret_stands_under_the_statement_not_under_what_is_said_behind_it(tmp_path):
    script = tmp_path / "train.py"
    script.write_text('    kept.append("#" + name)   # every one\n')
    shown = told(replace(FINDING, file=str(script), line=1, code="kept")).splitlines()
    assert [line.count("^") for line in shown if "^" in line] == [len('kept.append("#" + name)')]


def test_where_something_was_that_is_over_is_still_told():
    over = replace(
        FINDING, state="resolved", message="It ended.", file="train.py", line=9, code="a += b"
    )
    assert list(findings_told([over])) == ["k · resolved\nIt ended.\n  train.py:9  a += b"]


def test_what_is_built_in_vain_does_not_add_up():
    finding = replace(FINDING, kind="graph-unused", nodes_per_iteration=22.6)
    assert "  costs    22.6 nodes an iteration" in told(finding).splitlines()
