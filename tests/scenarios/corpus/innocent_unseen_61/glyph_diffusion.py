# gradwatch-corpus: kind=none
"""Glyph diffusion: self-conditioning on the previous step's guess, gradient accumulation and
loss-aware timestep sampling.

The same glyphs come back in every pass, so the guess of the last visit serves as the
conditioning input; it is kept per glyph.
"""
import argparse
import math
from collections import deque

import torch
from torch import nn


class LossAwareSampler:
    """Draws timesteps in proportion to the root mean square of their latest losses."""

    def __init__(self, steps, keep=10):
        self.steps = steps
        self.recent = [deque(maxlen=keep) for _ in range(steps)]

    def weights(self):
        if any(not r for r in self.recent):
            return torch.ones(self.steps)
        return torch.stack([torch.stack(list(r)).pow(2).mean().sqrt() for r in self.recent]) + 1e-4

    def draw(self, n):
        w = self.weights()
        t = torch.multinomial(w / w.sum(), n, replacement=True)
        return t, (w.mean() / w)[t]

    def observe(self, t, losses):
        for i, value in zip(t.tolist(), losses.detach().unbind(0)):
            self.recent[i].append(value.clone())


class Accumulator:
    """Sums scaled gradients over `parts` micro-batches before an update."""

    def __init__(self, optimizer, parts):
        self.optimizer, self.parts = optimizer, parts
        self.pending, self.running, self.updates = 0, torch.zeros(()), 0

    def backward(self, loss):
        (loss / self.parts).backward()
        self.running += loss.detach()
        self.pending += 1
        if self.pending == self.parts:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.pending, self.updates = 0, self.updates + 1


class GlyphDenoiser(nn.Module):
    def __init__(self, pixels, steps, width=64):
        super().__init__()
        self.time = nn.Embedding(steps, width)
        self.read = nn.Linear(2 * pixels, width)
        self.body = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(inplace=True))
        self.write = nn.Linear(width, pixels)

    def forward(self, noisy, guess, t):
        h = self.read(torch.cat([noisy, guess], -1))
        h = h + self.time(t)
        return self.write(self.body(h))


class GlyphTrainer:
    def __init__(self, glyphs, steps=12, parts=4):
        self.glyphs, self.steps = glyphs, steps
        self.model = GlyphDenoiser(glyphs.size(1), steps)
        self.guess = torch.zeros_like(glyphs)
        self.alpha = torch.cos((torch.arange(steps) + 1) / (steps + 1) * math.pi / 2).pow(2)
        self.sampler = LossAwareSampler(steps)
        self.accumulate = Accumulator(torch.optim.AdamW(self.model.parameters(), lr=2e-3), parts)

    def visit(self, idx):
        x0 = self.glyphs[idx]
        t, importance = self.sampler.draw(len(idx))
        a = self.alpha[t].unsqueeze(-1)
        noisy = a.sqrt() * x0 + (1 - a).sqrt() * torch.randn_like(x0)
        guess = self.model(noisy, self.guess[idx], t)
        losses = (guess - x0).pow(2).mean(-1)
        self.accumulate.backward((importance * losses).mean())
        self.guess[idx] = guess.detach().clamp(-1, 1)
        self.sampler.observe(t, losses)


def make_glyphs(n, side=5):
    strokes = torch.rand(n, 4, side, side) < 0.25
    return strokes.any(1).flatten(1).float() * 2 - 1


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--micro-batches", type=int, default=280)
    ap.add_argument("--batch", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(33)
    trainer = GlyphTrainer(make_glyphs(96))
    for i in range(args.micro_batches):
        trainer.visit(torch.randperm(96)[:args.batch])
    mean = trainer.accumulate.running / args.micro_batches
    print(f"{trainer.accumulate.updates} updates, mean loss {mean.item():.4f}")


if __name__ == "__main__":
    main()
