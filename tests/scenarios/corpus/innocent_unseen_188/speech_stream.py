# gradwatch-corpus: kind=none
"""Streaming keyword detector trained through a generator pipeline."""
from collections import deque
from itertools import count, islice

import torch
import torch.nn as nn
import torch.nn.functional as F


class Detector(nn.Module):
    def __init__(self, mel=10, words=5):
        super().__init__()
        self.front = nn.Conv1d(mel, 20, 3, padding=1)
        self.gru = nn.GRU(20, 24, batch_first=True)
        self.out = nn.Linear(24, words)

    def forward(self, x):
        h = torch.relu(self.front(x)).transpose(1, 2)
        y, _ = self.gru(h)
        return self.out(y.mean(1))


def utterances(seed, batch=12, frames=16):
    gen = torch.Generator().manual_seed(seed)
    templates = torch.randn(5, 10, frames, generator=gen)
    for _ in count():
        word = torch.randint(0, 5, (batch,), generator=gen)
        shift = int(torch.randint(-2, 3, (1,), generator=gen))
        x = torch.roll(templates[word], shift, -1)
        yield x + 1.5 * torch.randn(x.shape, generator=gen), word


def trained(stream, model, opt):
    for x, word in stream:
        logits = model(x)
        loss = F.cross_entropy(logits, word)
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, logits, word


def windows(stream, size):
    held = deque(islice(stream, size - 1), maxlen=size)
    for item in stream:
        held.append(item)
        yield tuple(held)


def rates(stream):
    for window in stream:
        losses = [loss for loss, _, _ in window]
        slopes = [(b - a).item() for a, b in zip(losses, losses[1:])]
        accel = [d - c for c, d in zip(slopes, slopes[1:])]
        acc = sum((lg.argmax(-1) == w).float().mean().item() for _, lg, w in window) / len(window)
        yield {
            "loss": losses[-1].item(),
            "slope": sum(slopes) / len(slopes),
            "accel": sum(accel) / len(accel),
            "accuracy": acc,
        }


def main():
    torch.manual_seed(15)
    model = Detector()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    pipeline = rates(windows(trained(utterances(16), model, opt), size=18))
    for i, row in enumerate(islice(pipeline, 420)):
        if i % 60 == 0:
            print(i, {k: round(v, 3) for k, v in row.items()})


if __name__ == "__main__":
    main()
