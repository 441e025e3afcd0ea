# gradwatch-corpus: kind=graph-held
# holder: for_report
# first-bad: 1
# notice: 8
"""Keyword spotting on synthetic filterbanks; progress and final report read one stream."""
from itertools import tee
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)

WORDS = 5


class StepResult(NamedTuple):
    step: int
    loss: torch.Tensor
    accuracy: float


class Spotter(nn.Module):
    def __init__(self, mels=16, channels=24):
        super().__init__()
        self.conv1 = nn.Conv1d(mels, channels, 5, padding=2)
        self.conv2 = nn.Conv1d(channels, channels, 5, padding=2)
        self.out = nn.Linear(channels, WORDS)

    def forward(self, x):
        h = F.relu(self.conv1(x))
        h = F.relu(self.conv2(h))
        return self.out(h.mean(dim=-1))


def filterbanks(batch, frames=30, mels=16):
    labels = torch.randint(0, WORDS, (batch,))
    x = torch.randn(batch, mels, frames)
    for row, label in enumerate(labels.tolist()):
        x[row, label * 3:label * 3 + 3] += 1.0
    return x, labels


def training_stream(model, optimizer, steps):
    for step in range(steps):
        x, y = filterbanks(16)
        logits = model(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        accuracy = (logits.argmax(dim=-1) == y).float().mean().item()
        yield StepResult(step, loss, accuracy)  # <- culprit


def show_progress(results, every=20):
    for result in results:
        if result.step % every == every - 1:
            print(f"step {result.step + 1:3d} loss {result.loss.item():.3f} acc {result.accuracy:.2f}")


def write_report(results):
    losses, accuracies = [], []
    for result in results:
        losses.append(float(result.loss.detach()))
        accuracies.append(result.accuracy)
    tail = losses[-10:]
    print(f"steps {len(losses)}  last ten {sum(tail) / len(tail):.3f}  best acc {max(accuracies):.2f}")


def main():
    model = Spotter()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for_screen, for_report = tee(training_stream(model, optimizer, steps=80))  # <- culprit
    show_progress(for_screen)
    write_report(for_report)


if __name__ == "__main__":
    main()
