"""Graphs that are deeper than the stack: freeing them must be what it is without the agent."""

from __future__ import annotations

import textwrap

import pytest

JOBS = {
    "a sequence": """
        for _ in range(2):
            state = weight * 1.0
            for _ in range(5_000):
                state = torch.tanh(state * weight)
            end(state)
            del state
    """,
    "a chain over iterations": """
        state = weight * 1.0
        for _ in range(30):
            for _ in range(250):
                state = state * 1.0
            end(state, retain_graph=True)
        del state
    """,
    "two states that depend on each other": """
        cell = torch.nn.LSTMCell(2, 3)
        for _ in range(2):
            states = None
            for _ in range(1_000):
                states = cell(torch.ones(1, 2), states)
            end(states[0])
            del states
    """,
    "each state from all before it": """
        for _ in range(2):
            states = [weight * 1.0]
            for _ in range(150):
                for _ in range(50):
                    last = torch.cat(states[-2:]).sum(0, keepdim=True) * weight
                    states[-1] = last
                states.append(torch.tanh(torch.cat(states).mean(0, keepdim=True)))
            end(states[-1])
            del states, last
    """,
}

BEFORE = """
import resource

import torch

import gradwatch_agent

resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))
torch.set_num_threads(1)
weight = torch.full((1,), 0.9, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=1e-9)


def end(state, **how):
    optimizer.zero_grad()
    state.sum().backward(**how)
    optimizer.step()


with gradwatch_agent.watch() as watch:
"""

AFTER = """
print("freed")
"""


@pytest.mark.parametrize("name", JOBS)
def test_it_can_be_let_go_of(forked, name):
    job = textwrap.indent(textwrap.dedent(JOBS[name]), "    ")
    ended = forked.run(BEFORE + job + AFTER, GRADWATCH_BUDGET="1")
    assert (ended.out, ended.code) == ("freed\n", 0), ended.err
