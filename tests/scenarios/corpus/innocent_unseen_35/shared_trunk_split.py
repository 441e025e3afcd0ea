# gradwatch-corpus: kind=none
"""Two heads on one trunk; per-task gradients are kept apart to measure how much they conflict."""
import collections

import torch
from torch import nn
from torch.nn import functional as F


class TwoHeads(nn.Module):
    def __init__(self, d=18, h=36):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.kind = nn.Linear(h, 5)
        self.age = nn.Linear(h, 1)

    def forward(self, x):
        z = self.trunk(x)
        return self.kind(z), self.age(z).squeeze(1)


class ConflictMeter:
    def __init__(self, keep=20):
        self.cosines = collections.deque(maxlen=keep)

    def add(self, a, b):
        self.cosines.append(F.cosine_similarity(a, b, dim=0).item())

    def __str__(self):
        return f"{sum(self.cosines) / len(self.cosines):+.3f}"


class SplitBackward:
    """Backward for each task in turn; leaves the projected sum in .grad."""

    def __init__(self, model, meter):
        self.shared = list(model.trunk.parameters())
        self.model = model
        self.meter = meter

    def _take(self):
        flat = torch.cat([p.grad.flatten() for p in self.shared])
        for p in self.shared:
            p.grad = None
        return flat

    def __call__(self, losses):
        flats = []
        last = len(losses) - 1
        for i, loss in enumerate(losses):
            loss.backward(retain_graph=i < last)
            flats.append(self._take())
        a, b = flats
        self.meter.add(a, b)
        dot = torch.dot(a, b)
        if dot < 0:
            a, b = a - dot / b.dot(b) * b, b - dot / a.dot(a) * a
        merged, offset = a + b, 0
        for p in self.shared:
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()


def sample(gen, weights, n=64):
    x = torch.randn(n, 18, generator=gen)
    scores = x @ weights
    return x, scores[:, :5].argmax(1), scores[:, 5] + 0.5 * scores[:, 0]


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(30)
    weights = torch.randn(18, 6, generator=gen) / 4
    net = TwoHeads()
    meter = ConflictMeter()
    split = SplitBackward(net, meter)
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    for step in range(100):
        x, kind, age = sample(gen, weights)
        kind_hat, age_hat = net(x)
        losses = [F.cross_entropy(kind_hat, kind), F.mse_loss(age_hat, age)]
        opt.zero_grad()
        split(losses)
        opt.step()
        if step % 25 == 24:
            print(f"{step + 1}: kind {losses[0].item():.3f} age {losses[1].item():.3f} cos {meter}")


if __name__ == "__main__":
    main()
