"""A job dies for want of memory: the error says what has filled it, where that is known."""

from __future__ import annotations

import tempfile

import pytest

LIMITED = """
import resource
import torch
import gradwatch_agent.auto

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
wide = torch.zeros(2_000_000, requires_grad=True)
now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + 1_500_000_000, -1))
history = []

def step(keep, retain=False, large=True):
    loss = model(torch.randn(4, 8)).mean()
    if large:
        loss = loss + (wide.exp() * wide).sum()
    optimizer.zero_grad()
    loss.backward(retain_graph=retain)
    optimizer.step()
    keep(loss)
"""
HELD = "while True:\n    step(lambda loss: history.append(loss), retain=True)  # the leak"
AT_ONCE = """
for _ in range(30):
    step(lambda loss: None)
torch.zeros(1_000_000_000)  # too large
"""


def died(children, text: str):
    """Under a check, which looks at memory in each iteration."""
    with tempfile.TemporaryDirectory() as folder:
        asked = {"GRADWATCH_CHECK": "100000", "GRADWATCH_REPORTS": folder}
        ended = children.run(LIMITED + text, tapped=True, **asked)
    assert ended.code == 1
    assert "can't allocate memory" in ended.err
    return ended, {f.kind: f for f in ended.findings if f.level != "info"}


def test_the_graphs_that_have_filled_it_are_named(forked):
    ended, found = died(forked, HELD)
    assert list(found) == ["graph-held"]
    told = found["graph-held"]
    assert (told.level, told.state, told.holder) == ("critical", "updated", "history")
    assert "Memory ran out in iteration" in told.message
    note = ended.err[ended.err.index("gradwatch: ") :]
    assert "history.append(loss.detach())" in note
    assert note.count("Memory ran out") == 1


def test_what_is_too_large_by_itself_is_no_graphs_fault(forked):
    ended, found = died(forked, AT_ONCE)
    assert list(found) == ["crashed"]
    assert found["crashed"].code == "torch.zeros(1_000_000_000)  # too large"
    assert "gradwatch: " not in ended.err


def test_a_few_small_graphs_do_not_explain_it(forked):
    keeps = AT_ONCE.replace("lambda loss: None", "lambda loss: history.append(loss), large=False")
    _, found = died(forked, keeps)
    assert set(found) == {"graph-held", "crashed"}
    assert "ran out" not in found["graph-held"].message


def test_what_a_batch_needs_is_not_what_small_graphs_have_filled(forked):
    batch = """
for _ in range(30):
    step(lambda loss: history.append(loss), large=False)

def runs_out():
    held = [torch.zeros(100_000_000), torch.zeros(100_000_000)]
    return torch.zeros(1_000_000_000)  # too large

runs_out()
"""
    _, found = died(forked, batch)
    assert set(found) == {"graph-held", "crashed"}
    assert found["crashed"].code == "return torch.zeros(1_000_000_000)  # too large"


@pytest.mark.parametrize("how", ["raise OSError('gone') from error", "raise OSError('gone')"])
def test_an_error_that_came_of_it_is_explained_too(forked, how):
    wrapped = f"""
try:
    while True:
        step(lambda loss: history.append(loss), retain=True)
except RuntimeError as error:
    {how}
"""
    ended, found = died(forked, wrapped)
    assert list(found) == ["graph-held"]
    assert "OSError: gone" in ended.err
    assert "Memory ran out" in ended.err
