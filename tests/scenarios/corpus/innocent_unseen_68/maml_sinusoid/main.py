# gradwatch-corpus: kind=none
"""MAML with learned per-tensor inner rates on sinusoids (second order)."""
from collections import OrderedDict, deque

import torch
from torch import nn
from torch.func import functional_call

from tasks import SineTasks
from inner import InnerLoop


class Meter:
    """Keeps the adapted weights of the last few tasks, for the drift report."""

    def __init__(self, keep=4):
        self.adapted = deque(maxlen=keep)
        self.curve = []

    def push(self, weights, loss):
        self.adapted.append(weights)
        self.curve.append(float(loss.detach()))

    def drift(self):
        first, last = self.adapted[0], self.adapted[-1]
        with torch.no_grad():
            return sum((first[k] - last[k]).norm().item() for k in first)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    inner = InnerLoop(net, steps=2, rate=0.05)
    meta = torch.optim.Adam([*net.parameters(), *inner.log_rates.values()], lr=2e-3)
    tasks, meter = SineTasks(seed=1), Meter()

    for it in range(180):
        meta.zero_grad()
        for _ in range(3):
            (sx, sy), (qx, qy) = tasks.draw()
            theta = OrderedDict(net.named_parameters())
            phi = inner.adapt(theta, sx, sy)
            query = nn.functional.mse_loss(functional_call(net, phi, (qx,)), qy) / 3
            query.backward()
            meter.push(phi, query)
        meta.step()
        if it % 45 == 44:
            recent = sum(meter.curve[-60:]) / 20
            print(f"{it + 1}: query {recent:.4f} drift {meter.drift():.3f} rates {inner.summary()}")


if __name__ == "__main__":
    main()
