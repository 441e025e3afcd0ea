"""An optimizer's steps, counted by what they leave in a weight."""

import pytest
import torch

from gradwatch_agent.loop.pulse import Pulse


@pytest.fixture
def beaten():
    """A pulse that has heard enough steps to be even, and what steps once more."""
    weight = torch.ones(3, requires_grad=True)
    optimizer, pulse = torch.optim.SGD([weight], lr=0.1), Pulse()

    def step():
        weight.grad = torch.ones(3)
        optimizer.step()

    for _ in range(12):
        step()
        pulse.step(optimizer, backwards=1)
    assert pulse.even
    return pulse, step


@pytest.mark.parametrize(("taken", "due"), [(1, 1), (3, 3), (2, 3), (0, 1)])
def test_steps_are_counted_and_one_may_be_still_to_come(beaten, taken, due):
    pulse, step = beaten
    for _ in range(taken):
        step()
    assert pulse.steps(due) == taken


def test_where_none_came_of_several_it_cannot_be_told(beaten):
    pulse, _ = beaten
    assert pulse.steps(3) == 3
