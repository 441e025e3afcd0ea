"""What a finding takes along to be seen elsewhere: source lines, the way to the old node."""

from __future__ import annotations

import os
import textwrap

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.excerpt import with_source

CHAIN = """
    import torch
    import gradwatch_agent.auto

    w = torch.ones(3, requires_grad=True)
    state = torch.zeros(3)
    for _ in range(12):
        for _ in range({steps}):
            state = state + w
        (state**2).sum().backward(retain_graph=True)
        w.grad = None
    """


def finding(file: str, line: int) -> wire.Finding:
    return wire.Finding(
        kind="graph-chain", level="critical", state="raised", time="", run="", job="", host="",
        pid=1, rank=0, iteration=5, since_iteration=2, message="m", file=file, line=line,
    )  # fmt: skip


def chain_of(forked, steps: int) -> wire.Finding:
    ended = forked.run(CHAIN.format(steps=steps))
    return next(found for found in ended.findings if found.kind == "graph-chain")


def test_the_lines_around_the_culprit_go_along(forked):
    found = chain_of(forked, steps=2)
    written = textwrap.dedent(CHAIN.format(steps=2)).splitlines()
    first = found.source.first
    assert list(found.source.lines) == written[first - 1 : first - 1 + len(found.source.lines)]
    assert found.source.lines[found.line - first].strip() == "state = state + w"


def test_the_way_leads_from_the_loss_into_the_iteration_before(forked):
    way = chain_of(forked, steps=2).way
    assert [step.op for step in way] == ["SumBackward0", "PowBackward0", *["AddBackward0"] * 3]
    newest = way[0].iteration
    assert [step.iteration for step in way] == [newest] * 4 + [newest - 1]
    assert [step.line for step in way] == [10, 10, 9, 9, 9]


def test_a_long_way_is_told_from_both_ends(forked):
    way = chain_of(forked, steps=100).way
    assert len(way) == 16
    assert sum(step.skipped for step in way) + len(way) == 2 + 100 + 1
    assert way[-1].iteration == way[0].iteration - 1


def test_an_excerpt_is_bounded(tmp_path):
    file = tmp_path / "train.py"
    file.write_text("\n".join(["\tx = 1" + "0" * 5_000] * 100))
    os.utime(file, (0, 0))  # from before the job began: it is what runs
    for line, first, count in ((1, 1, 6), (50, 45, 11), (100, 95, 6)):
        source = with_source(finding(str(file), line)).source
        assert (source.first, len(source.lines)) == (first, count)
        assert {len(text) for text in source.lines} == {200}
        assert source.lines[0].startswith("    x = 1")


def test_without_a_file_there_is_no_excerpt(tmp_path):
    binary = tmp_path / "train.so"
    binary.write_bytes(bytes(range(256)))
    for file, line in ((str(tmp_path / "none.py"), 3), (str(binary), 1), ("<string>", 1)):
        assert with_source(finding(file, line)).source is None
    assert with_source(finding(__file__, 10**9)).source is None
