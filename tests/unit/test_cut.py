"""Which functions hand back nothing with a graph, and which statements may end a state's."""

from __future__ import annotations

import ast
import os

import pytest

from gradwatch_agent.source.gradients.cut import (
    cuts_a_part,
    cuts_now_and_then,
    ends_graphs,
    fails_to_cut,
    hands_back_cut,
    merely_copies,
)


@pytest.mark.parametrize(
    ("body", "cut"),
    [
        ("return h.detach()", True),
        ("return tuple(v.detach() for v in h)", True),
        ("return [v.detach() for v in h]", True),
        ("return {k: v.detach() for k, v in h.items()}", True),
        ("return replace(h, hidden=h.hidden.detach())", True),
        ("return h._replace(hidden=h.hidden.detach())", True),
        ("return h.detach() if torch.is_tensor(h) else tuple(cut(v) for v in h)", True),
        ("return h.clone()", False),
        ("return h.detach(), c", False),
        ("return replace(h, hidden=h.hidden.detach(), cell=h.cell)", False),
        ("if h.dim():\n        return h.detach()\n    return h", False),
        ("h.detach_()", False),
        ("return None", False),
    ],
)
def test_what_a_function_hands_back(tmp_path, body, cut):
    file = tmp_path / "job.py"
    file.write_text(f"def cut(h, c):\n    {body}\n\n\nstate = cut(state, 0)\n")
    os.utime(file, (0, 0))  # source is only read of files older than the process
    statement = ast.parse("state = cut(state, 0)").body[0]
    assert hands_back_cut(statement, [str(file)]) is cut
    assert not hands_back_cut(ast.parse("state = other(state)").body[0], [str(file)])


@pytest.mark.parametrize(
    ("statement", "ends"),
    [
        ("h = h.detach()", True),
        ("h.detach_()", True),
        ("h = tuple(v.detach() for v in h)", True),
        ("h = h.detach() if step % 5 == 0 else h", True),
        ("state = State(h.detach(), c)", True),
        ("ema = 0.9 * ema.detach() + 0.1 * x.detach()", True),
        ("v = v - threshold * spike.detach()", False),
        ("level = level + gain * (y - pred).detach()", False),
        ("h = h.clone()", False),
    ],
)
def test_what_may_end_a_states_graph(statement, ends):
    assert ends_graphs(ast.parse(statement).body[0]) is ends


GENERIC = """
@singledispatch
def cut(h):
    return h

@cut.register
def _(h: torch.Tensor):
    return h.detach()
"""
NOW_AND_THEN = """
def cut(h):
    return h.detach() if next(count) % 5 == 0 else h
"""
WHOLLY = """
def cut(h):
    return h.detach()
"""
TRAINS = """
def cut(h):
    h = model(h)
    log.append(h.sum().detach())
    return h
"""


@pytest.mark.parametrize(
    ("source", "fails", "sometimes"),
    [
        (GENERIC, True, False),
        (NOW_AND_THEN, True, True),
        (WHOLLY, False, False),
        (TRAINS, False, False),
    ],
)
def test_what_is_meant_to_cut(tmp_path, source, fails, sometimes):
    file = tmp_path / "job.py"
    file.write_text(source)
    os.utime(file, (0, 0))
    statement = ast.parse("state = self.state = cut(self.state)").body[0]
    assert fails_to_cut(statement, [str(file)]) is fails
    assert cuts_now_and_then(statement, [str(file)]) is sometimes
    assert not fails_to_cut(ast.parse("state = cut(other)").body[0], [str(file)])


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("self.carry = (h.detach(), c)", True),
        ("state = State(h=h.detach(), c=c)", True),
        ("state = {'h': h.detach(), 'c': c}", True),
        ("self.carry = (h.detach(), c.detach())", False),
        ("self.carry = (h, c)", False),
        ("self.carry = (h.detach() if due else h, c)", False),
        ("h = blend(h.detach(), x)", False),
    ],
)
def test_a_half_that_is_cut_is_no_end(source, part):
    assert cuts_a_part(ast.parse(source).body[0]) is part


@pytest.mark.parametrize(
    ("statement", "copies"),
    [
        ("self.h = self.h.clone()", True),
        ("h = h.clone().requires_grad_()", True),
        ("h = torch.clone(h)", True),
        ("self.hs = [h.clone() for h in self.hs]", True),
        ("self.hs = tuple(h.clone() for h in self.hs)", True),
        ("self.h, self.c = self.h.clone(), self.c.clone()", True),
        ("h, c = c.clone(), h.clone()", False),
        ("self.h = h.clone()", False),
        ("h = h.contiguous()", False),
        ("h = h.detach().clone()", False),
        ("h = h.clone() * 0.5", False),
        ("h = h.clone(memory_format=f)", True),
        ("hs = [g.clone() for h in hs]", False),
    ],
)
def test_what_is_but_a_copy_of_itself_was_meant_to_cut(statement, copies):
    assert merely_copies(ast.parse(statement).body[0]) is copies
