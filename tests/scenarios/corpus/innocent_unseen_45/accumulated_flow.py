# gradwatch-corpus: kind=none
"""Affine-coupling flow; micro-batches, averaged weights and rotating checkpoints."""
import contextlib
from collections import deque

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, width, flip):
        super().__init__()
        self.flip = flip
        self.loc = nn.Parameter(torch.zeros(dim))
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.net = nn.Sequential(nn.Linear(dim // 2, width), nn.ReLU(), nn.Linear(width, dim))
        self.log_det = None

    def forward(self, x):
        x = (x - self.loc) * self.log_scale.exp()
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        self.log_det = s.sum(1) + self.log_scale.sum()
        return torch.cat([b, a] if self.flip else [a, b], dim=1)


class Flow(nn.Module):
    def __init__(self, dim=2, width=48, depth=5):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(dim, width, i % 2 == 1) for i in range(depth))

    def nll(self, x):
        for layer in self.layers:
            x = layer(x)
        total = sum(layer.log_det for layer in self.layers)
        return (0.5 * x.square().sum(1) + 1.8379 - total).mean()


class AveragedWeights:
    def __init__(self, module, decay=0.97):
        self.module, self.decay = module, decay
        self.avg = [p.detach().clone() for p in module.parameters()]

    @torch.no_grad()
    def update(self):
        for i, p in enumerate(self.module.parameters()):
            self.avg[i] = self.decay * self.avg[i] + (1 - self.decay) * p

    @contextlib.contextmanager
    def swapped_in(self):
        live = [p.data for p in self.module.parameters()]
        for p, a in zip(self.module.parameters(), self.avg):
            p.data = a
        try:
            yield self.module
        finally:
            for p, d in zip(self.module.parameters(), live):
                p.data = d


def two_moons(n):
    a = torch.rand(n) * 3.1416
    side = torch.randint(0, 2, (n,)).float()
    x = torch.stack([a.cos() * (1 - 2 * side) + side, a.sin() * (1 - 2 * side) + side / 2], 1)
    return x * 1.5 + 0.07 * torch.randn(n, 2)


class FlowTrainer:
    def __init__(self, micro=4):
        self.flow = Flow()
        self.micro = micro
        self.opt = torch.optim.Adam(self.flow.parameters(), lr=2e-3)
        self.avg = AveragedWeights(self.flow)
        self.saved = deque(maxlen=3)
        self.log_det_mean = 0.0

    def step(self):
        total = 0.0
        for _ in range(self.micro):
            loss = self.flow.nll(two_moons(64)) / self.micro
            loss.backward()
            total += loss.detach()
            seen = torch.stack([m.log_det.detach().mean() for m in self.flow.layers]).sum()
            self.log_det_mean = 0.98 * self.log_det_mean + 0.02 * seen
        self.opt.step()
        self.opt.zero_grad()
        self.avg.update()
        return total

    def checkpoint(self, n):
        self.saved.append((n, {k: v.clone() for k, v in self.flow.state_dict().items()}))

    def validate(self, x):
        with torch.no_grad(), self.avg.swapped_in() as flow:
            return flow.nll(x).item()


def main():
    torch.manual_seed(29)
    trainer, held_out = FlowTrainer(), two_moons(400)
    for n in range(90):
        nll = trainer.step()
        if n % 10 == 9:
            trainer.checkpoint(n)
        if n % 15 == 0:
            print(f"{n:3d} nll {nll:.3f} held-out {trainer.validate(held_out):.3f} "
                  f"log det {trainer.log_det_mean:.3f} kept {[k for k, _ in trainer.saved]}")


if __name__ == "__main__":
    main()
