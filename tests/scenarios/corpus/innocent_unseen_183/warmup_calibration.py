# gradwatch-corpus: kind=none
"""Uncertainty-weighted two-head network; loss scales are calibrated from a warmup sample."""
import statistics

import torch
from torch import nn

WARMUP = 80


class ScaleCalibrator:
    def __init__(self, heads, warmup):
        self.warmup = warmup
        self.samples = {h: [] for h in heads}

    def observe(self, step, losses):
        if step < self.warmup:
            for head, value in losses.items():
                self.samples[head].append(value)

    def scale(self, head):
        seen = self.samples[head]
        if len(seen) < 5:
            return 1.0
        return 1.0 / max(1e-3, statistics.median(v.item() for v in seen))


class TwoHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 32), nn.GELU())
        self.price = nn.Linear(32, 1)
        self.category = nn.Linear(32, 3)

    def forward(self, x):
        h = self.trunk(x)
        return self.price(h).squeeze(1), self.category(h)


class Houses:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(8, generator=self.gen)
        self.v = torch.randn(8, 3, generator=self.gen)

    def batch(self, n=32):
        x = torch.randn(n, 8, generator=self.gen)
        return x, 10 * (x @ self.w), (x @ self.v).argmax(1)


def main():
    torch.manual_seed(23)
    data, net = Houses(23), TwoHead()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.8)
    calib = ScaleCalibrator(("price", "category"), WARMUP)
    for step in range(460):
        x, price, cat = data.batch()
        p, c = net(x)
        losses = {
            "price": nn.functional.huber_loss(p, price),
            "category": nn.functional.cross_entropy(c, cat),
        }
        total = sum(calib.scale(h) * l for h, l in losses.items())
        opt.zero_grad()
        total.backward()
        opt.step()
        calib.observe(step, losses)
        if step % 92 == 0:
            print(step, {h: round(l.item(), 3) for h, l in losses.items()}, f"total {total.item():.3f}")


if __name__ == "__main__":
    main()
