# gradwatch-corpus: kind=graph-chain
# holder: self._field | window._field | self.window._field | cycle.window._field | window.background | self.window.background
# first-bad: 1
# notice: 5
"""Cycled nudging of a shallow advection model with a learned gain."""
import torch

from .cycle import Cycle
from .model import Advection, Gain
from .rules import SignDescent
from .window import Window

torch.set_num_threads(1)
torch.manual_seed(8)


def observations(n, cells=32):
    x = torch.linspace(0, 6.2832, cells)
    for t in range(n):
        truth = torch.sin(x - 0.15 * t) + 0.3 * torch.sin(2 * x + 0.1 * t)
        mask = (torch.rand(cells) < 0.5).float()
        yield truth + 0.05 * torch.randn(cells), mask


def main():
    gain = Gain(32)
    cycle = Cycle(Advection(speed=0.8), gain, Window(torch.zeros(32)))
    rule = SignDescent(gain.parameters(), lr=2e-3)
    for t, (y, m) in enumerate(observations(70)):
        j = cycle.analyse(y, m)
        rule.zero_grad()
        j.backward(retain_graph=True)  # <- culprit
        rule.step()
        if t % 20 == 19:
            print(f"cycle {t:3d}  J {j.item():.4f}  mean gain {gain.level():.3f}")


if __name__ == "__main__":
    main()
