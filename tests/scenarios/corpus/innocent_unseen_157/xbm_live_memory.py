# gradwatch-corpus: kind=none
"""Metric learning of fragrance spectra: pairs run across the last few batches, whose embeddings stay trainable."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(27)


class OneLayerEmbedding(nn.Module):
    def __init__(self, channels=32, dim=8):
        super().__init__()
        self.project = nn.Linear(channels, dim)

    def forward(self, x):
        return F.normalize(self.project(x), dim=1)


class LiveMemory:
    """The batches of the last `span` steps take part in every loss, with gradient, then drop out."""

    def __init__(self, span=3):
        self.batches = deque(maxlen=span)

    def extend(self, z, y):
        joined = list(self.batches) + [(z, y)]
        return torch.cat([b[0] for b in joined]), torch.cat([b[1] for b in joined])

    def push(self, z, y):
        self.batches.append((z, y))


class MultiSimilarity(nn.Module):
    def __init__(self, alpha=2.0, beta=20.0, base=0.5):
        super().__init__()
        self.alpha, self.beta, self.base = alpha, beta, base

    def forward(self, z, y):
        sim = z @ z.t()
        same = (y[:, None] == y[None]).float()
        eye = torch.eye(len(y))
        pull = torch.log1p((torch.exp(-self.alpha * (sim - self.base)) * (same - eye)).sum(1)) / self.alpha
        push = torch.log1p((torch.exp(self.beta * (sim - self.base)) * (1 - same)).sum(1)) / self.beta
        return (pull + push).mean()


def spectra(batch, kinds=6, channels=32):
    base = torch.randn(kinds, channels)
    while True:
        y = torch.randint(0, kinds, (batch,))
        yield base[y] + 0.9 * torch.randn(batch, channels), y


def neighbours(model, x, y):
    model.eval()
    with torch.no_grad():
        z = model(x)
        sim = z @ z.t() - 3 * torch.eye(len(z))
        hit = (y[sim.argmax(1)] == y).float().mean().item()
    model.train()
    return hit


def main(steps=120):
    stream = spectra(10)
    model, memory, criterion = OneLayerEmbedding(), LiveMemory(), MultiSimilarity()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    held_out = [next(stream) for _ in range(8)]
    xs, ys = torch.cat([h[0] for h in held_out]), torch.cat([h[1] for h in held_out])
    for step in range(steps):
        x, y = next(stream)
        z = model(x)
        loss = criterion(*memory.extend(z, y))
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        memory.push(z, y)
        if step % 30 == 29:
            print(f"step {step + 1:3d} loss {loss.item():.4f} recall@1 {neighbours(model, xs, ys):.3f}")


if __name__ == "__main__":
    main()
