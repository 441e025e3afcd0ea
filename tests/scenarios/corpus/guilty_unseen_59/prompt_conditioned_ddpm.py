# gradwatch-corpus: kind=second-backward
# holder: self.table | bank.table | self.bank.table | trainer.bank.table
# first-bad: 6
# notice: 0
"""Toy text-conditioned DDPM on 2-D glyph positions.

Prompts come from a small template grammar, so encoded prompts are kept in a
bank keyed by their text; the denoiser gets them through cross-FiLM.
"""
import argparse
import itertools
import random

import torch
import torch.nn.functional as F
from torch import nn

COLORS = ["red", "teal", "amber", "violet"]
SHAPES = ["ring", "bar", "star"]
PLACES = ["left", "right"]
VOCAB = {w: i for i, w in enumerate(COLORS + SHAPES + PLACES)}


class PromptEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.tokens = nn.Embedding(len(VOCAB), dim)
        self.mix = nn.GRU(dim, dim, batch_first=True)

    def forward(self, prompt):
        ids = torch.tensor([[VOCAB[w] for w in prompt.split()]])
        _, h = self.mix(self.tokens(ids))
        return h[0, 0]


class PromptBank:
    """Encodes a prompt the first time it is asked for."""

    def __init__(self, encoder):
        self.encoder = encoder
        self.table = {}
        self.hits = 0

    def __getitem__(self, prompt):
        if prompt in self.table:
            self.hits += 1
        else:
            self.table[prompt] = self.encoder(prompt)  # <- culprit
        return self.table[prompt]

    def batch(self, prompts):
        return torch.stack([self[p] for p in prompts])


class Denoiser(nn.Module):
    def __init__(self, dim, width=48):
        super().__init__()
        self.inp = nn.Linear(3, width)
        self.film = nn.Linear(dim, 2 * width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)

    def forward(self, x, t, cond):
        scale, shift = self.film(cond).chunk(2, -1)
        h = F.silu(self.inp(torch.cat([x, t[:, None]], -1)))
        h = F.silu(self.mid(h * (1 + scale) + shift))
        return self.out(h)


class GlyphData:
    """Every prompt once an epoch, in an order of its own."""

    def __init__(self, batch, seed):
        self.prompts = [" ".join(p) for p in itertools.product(COLORS, SHAPES, PLACES)]
        self.batch = batch
        self.rng = random.Random(seed)
        self.centers = {p: torch.tensor([self.rng.uniform(-1, 1), self.rng.uniform(-1, 1)])
                        for p in self.prompts}

    def epoch(self):
        order = self.prompts[:]
        self.rng.shuffle(order)
        for i in range(0, len(order), self.batch):
            chunk = order[i:i + self.batch]
            x = torch.stack([self.centers[p] for p in chunk])
            yield x + 0.1 * torch.randn_like(x), chunk


class DiffusionTrainer:
    def __init__(self, dim, lr, timesteps=50):
        self.encoder = PromptEncoder(dim)
        self.denoiser = Denoiser(dim)
        self.bank = PromptBank(self.encoder)
        beta = torch.linspace(1e-3, 0.2, timesteps)
        self.abar = torch.cumprod(1 - beta, 0)
        self.opt = torch.optim.AdamW(
            itertools.chain(self.encoder.parameters(), self.denoiser.parameters()), lr=lr)

    def training_loss(self, x, prompts):
        t = torch.randint(len(self.abar), (len(x),))
        a = self.abar[t][:, None]
        noise = torch.randn_like(x)
        noisy = a.sqrt() * x + (1 - a).sqrt() * noise
        eps = self.denoiser(noisy, t / len(self.abar), self.bank.batch(prompts))
        return F.mse_loss(eps, noise)

    def step(self, x, prompts):
        loss = self.training_loss(x, prompts)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--batch", type=int, default=4)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    data = GlyphData(args.batch, seed=4)
    trainer = DiffusionTrainer(dim=16, lr=2e-3)
    for epoch in range(args.epochs):
        losses = [trainer.step(x, prompts) for x, prompts in data.epoch()]
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}, bank hits {trainer.bank.hits}")


if __name__ == "__main__":
    main()
