# gradwatch-corpus: kind=graph-chain
# holder: state | state.level | state.trend
# first-bad: 1
# also: retain-needless
"""Holt's smoothing with learned rates, step by step: the level is cut, the trend is not."""

from typing import NamedTuple

import torch


class Holt(NamedTuple):
    level: torch.Tensor
    trend: torch.Tensor


def smooth(state, value, shift):
    level = state.level + state.trend + shift[0] * value
    trend = state.trend + shift[1] * value
    return level, trend


def main():
    torch.manual_seed(3)
    shift = torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.SGD([shift], lr=1e-4)
    state = Holt(torch.zeros(16), torch.zeros(16))
    for day in range(90):
        value = torch.randn(16) + 0.1 * day
        level, trend = smooth(state, value, shift)
        loss = (level - value).abs().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        state = Holt(level.detach(), trend)  # <- culprit
        if day % 30 == 0:
            print(f"day {day}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
