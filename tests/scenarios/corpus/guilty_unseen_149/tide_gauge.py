# gradwatch-corpus: kind=graph-chain
# holder: self.memory | filt.memory | state
# first-bad: 1
# notice: 5
"""Nowcast of a tide gauge that never stops measuring: a recurrent filter trained online."""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)

CHUNK = 6


def gauge(chunks):
    t = 0
    surge = torch.zeros(())
    for _ in range(chunks):
        heights = []
        for _ in range(CHUNK + 1):
            surge = 0.95 * surge + 0.05 * torch.randn(())
            heights.append(math.sin(t / 12.4 * 2 * math.pi) + 0.3 * math.sin(t / 6.1) + surge)
            t += 1
        t -= 1
        h = torch.stack([torch.as_tensor(v) for v in heights])
        yield h[:-1, None, None], h[1:, None, None]


class PlainSgd:
    """Descent with a cap on the step, as the old Fortran tuner had it."""

    def __init__(self, params, lr, cap=0.05):
        self.params, self.lr, self.cap = list(params), lr, cap

    def zero(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p in self.params:
            p.data.add_((p.grad * self.lr).clamp(-self.cap, self.cap), alpha=-1)


class Filter(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.read = nn.Linear(hidden, 1)
        self.memory = torch.zeros(1, hidden)

    def forward(self, xs):
        state, out = self.memory, []  # <- culprit
        for x in xs:
            state = self.cell(x, state)
            out.append(self.read(state))
        self.memory = state  # <- culprit
        return torch.stack(out)


def main():
    filt = Filter()
    opt = PlainSgd(filt.parameters(), lr=0.05)
    for k, (xs, ys) in enumerate(gauge(60)):
        loss = F.mse_loss(filt(xs), ys)
        opt.zero()
        loss.backward(retain_graph=True)
        opt.step()
        if k % 10 == 9:
            print(f"chunk {k + 1:3d}  nowcast error {loss.item():.4f}")


main()
