# gradwatch-corpus: kind=none
# about: pipeline: graphs wait in deques 4, 2, 0 ticks (with stashed weight copies) for their backward; depth fixed
"""PipeDream-like pipeline on one process: gradients come back to a stage some ticks after its forward."""
from collections import deque

import torch
from torch import nn

from .schedule import Stage
from .weights import Versioned

torch.manual_seed(0)


def block(i, o, last=False):
    return Versioned(nn.Sequential(nn.Linear(i, o), nn.Identity() if last else nn.GELU(), nn.Linear(o, o)))


def run(ticks=170, depth=3):
    stages = [Stage(block(20, 48), .02, 4), Stage(block(48, 48), .02, 2), Stage(block(48, 3, True), .02, 0)]
    teacher = nn.Linear(20, 3).requires_grad_(False)
    wires = [deque() for _ in range(depth)]        # gradients that travel back
    running = 0.0
    for tick in range(ticks):
        x = torch.randn(32, 20)
        y = torch.tanh(teacher(x))
        for st in stages:
            x = st.forward(tick, x)
        x.requires_grad_()
        loss = (x - y).square().mean()
        loss.backward()
        wires[2].append((tick, tick, x.grad))
        for i in reversed(range(depth)):
            while wires[i] and wires[i][0][0] <= tick:
                _, tag, g = wires[i].popleft()
                back = stages[i].backward(tag, g)
                if i:
                    wires[i - 1].append((tick + 2, tag, back))
        running = .9 * running + .1 * loss.item()
        if tick % 25 == 0:
            print(f"tick {tick:4d} mse {running:.4f} in flight {[len(s.flying) for s in stages]}")


if __name__ == "__main__":
    run()
