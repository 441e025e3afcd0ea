# gradwatch-corpus: kind=graph-chain
# holder: phase | advance | oscillator
# first-bad: 1
"""Follows the tempo of an onset envelope with a bank of phase oscillators."""
import math

import torch
from torch import nn

HOP = 0.02
FRAMES = 24


def onset_stream(bpm, gen):
    """Onset strength in blocks of FRAMES, with a little timing noise."""
    clock = 0.0
    while True:
        t = clock + HOP * torch.arange(FRAMES)
        beat = torch.cos(2 * math.pi * bpm / 60 * t).clamp_min(0) ** 4
        yield beat + 0.05 * torch.randn(FRAMES, generator=gen)
        clock += FRAMES * HOP


def make_oscillator(rates):
    """Returns a function giving the phases of the next block, continuous over blocks."""
    phase = torch.zeros(rates.shape)

    def advance(frames):
        nonlocal phase
        track = phase + rates * torch.arange(frames).unsqueeze(1)
        end = torch.add(phase, rates, alpha=frames)  # <- culprit
        phase = torch.remainder(end, 2 * math.pi)  # <- culprit
        return track

    return advance


class TempoBank(nn.Module):
    def __init__(self, candidates):
        super().__init__()
        self.rates = nn.Parameter(torch.tensor(candidates) / 60 * (2 * math.pi * HOP))
        self.weights = nn.Parameter(torch.zeros(len(candidates)))
        self.bias = nn.Parameter(torch.zeros(()))

    def bpm(self):
        return [60 * r / (2 * math.pi * HOP) for r in self.rates.tolist()]

    def envelope(self, track):
        pulse = torch.relu(track.cos()) ** 4
        return pulse @ torch.softmax(self.weights, 0) + self.bias


def follow(blocks=100, bpm=122.0, lr=3e-3):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    bank = TempoBank([96.0, 108.0, 120.0, 132.0])
    optimizer = torch.optim.Adam(
        [
            {"params": [bank.rates], "lr": lr * 0.01},
            {"params": [bank.weights, bank.bias], "lr": lr * 10},
        ]
    )
    oscillator = make_oscillator(bank.rates)
    stream = onset_stream(bpm, torch.Generator().manual_seed(8))
    smoothed = None
    for block in range(blocks):
        onsets = next(stream)
        loss = nn.functional.mse_loss(bank.envelope(oscillator(FRAMES)), onsets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smoothed = loss.item() if smoothed is None else 0.9 * smoothed + 0.1 * loss.item()
        if block % 25 == 24:
            share = torch.softmax(bank.weights.detach(), 0)
            print(f"block {block + 1:3d}  loss {smoothed:.4f}  best {bank.bpm()[share.argmax()]:.1f} bpm")


if __name__ == "__main__":
    follow()
