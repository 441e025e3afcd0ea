# gradwatch-corpus: kind=graph-chain
# holder: run_state.level | level | _level
# first-bad: 1
# notice: 5
"""Demand scoring with a running level that every component can read from the context."""
import torch
import torch.nn as nn

import run_state
from scoring import LevelledScore

torch.set_num_threads(1)
torch.manual_seed(17)


def demand(n, weights):
    x = torch.randn(n, 10)
    return x, torch.sigmoid(x @ weights) + 0.05 * torch.randn(n)


def train(steps=80):
    weights = torch.randn(10)
    scorer = LevelledScore(10)
    opt = torch.optim.SGD(scorer.parameters(), lr=0.05)
    for step in range(steps):
        x, target = demand(40, weights)
        residual, score = scorer(x, target)
        loss = residual.pow(2).mean() + 1e-3 * scorer.linear.weight.abs().sum()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(scorer.parameters(), 1.0)
        opt.step()
        if step % 20 == 19:
            print(f"step {step + 1} loss {loss.item():.4f} level {float(run_state.current()):.4f}")


if __name__ == "__main__":
    with run_state.fresh():
        train()
