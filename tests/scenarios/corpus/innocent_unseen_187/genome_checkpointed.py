# gradwatch-corpus: kind=none
import itertools
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class LookBack:
    """Iterates over results while giving access to the ones just passed."""

    def __init__(self, iterable, depth):
        self.iterator = iter(iterable)
        self.passed = deque(maxlen=depth)

    def __iter__(self):
        return self

    def __next__(self):
        item = next(self.iterator)
        self.passed.append(item)
        return item

    def ago(self, n):
        return self.passed[-1 - n] if n < len(self.passed) else self.passed[0]


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 5, padding=2)
        self.norm = nn.GroupNorm(2, channels)

    def forward(self, x):
        return x + F.silu(self.norm(self.conv(x)))


class MotifNet(nn.Module):
    def __init__(self, channels=8, depth=3):
        super().__init__()
        self.stem = nn.Conv1d(4, channels, 5, padding=2)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(depth))
        self.head = nn.Linear(channels, 2)

    def forward(self, x):
        h = self.stem(x)
        for block in self.blocks:
            h = checkpoint(block, h, use_reentrant=False)
        return self.head(h.amax(-1))


def genomes(gen, n=12, length=40):
    motif = torch.tensor([0, 2, 2, 1, 3])
    while True:
        seq = torch.randint(0, 4, (n, length), generator=gen)
        y = torch.randint(0, 2, (n,), generator=gen)
        for i in y.nonzero().flatten().tolist():
            at = torch.randint(0, length - 5, (), generator=gen).item()
            seq[i, at:at + 5] = motif
        yield F.one_hot(seq, 4).float().transpose(1, 2), y


def training(model, optimizer, batches):
    for x, y in batches:
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss, logits


def main():
    torch.manual_seed(57)
    gen = torch.Generator().manual_seed(57)
    model = MotifNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    results = LookBack(training(model, optimizer, itertools.islice(genomes(gen), 410)), depth=25)
    for step, (loss, logits) in enumerate(results):
        if step % 82 == 81:
            earlier, _ = results.ago(20)
            margin = (logits[:, 1] - logits[:, 0]).abs().mean().item()
            print(f"step {step} loss {loss.item():.4f} change {(loss - earlier).item():+.4f} margin {margin:.3f}")


if __name__ == "__main__":
    main()
