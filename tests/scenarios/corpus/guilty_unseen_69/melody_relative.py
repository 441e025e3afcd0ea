# gradwatch-corpus: kind=second-backward
# holder: self._by_length | self._by_length[length] | self.bias._by_length | self.attn.bias._by_length | bias | model.attn.bias._by_length | model.attn.bias._by_length[length]
# first-bad: 5
# notice: 0
"""Melody continuation with relative-position attention; batches come from length buckets."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PITCHES = 24


class RelativeBias(nn.Module):
    """A small net turns signed distances into one additive bias per attention head."""

    def __init__(self, heads, hidden=16, reach=32.0):
        super().__init__()
        self.reach = reach
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, heads))
        self._by_length = {}

    def _table(self, length):
        pos = torch.arange(length, dtype=torch.float32)
        gap = (pos[:, None] - pos[None, :]) / self.reach
        return self.net(torch.stack([gap, gap.abs().sqrt()], dim=-1)).permute(2, 0, 1)

    def forward(self, length):
        if length not in self._by_length:
            self._by_length[length] = self._table(length)  # <- culprit
        return self._by_length[length]


class CausalAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.bias = RelativeBias(heads)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
        score = q @ k.transpose(-1, -2) / (w // self.heads) ** 0.5
        score = score + self.bias(t)
        ahead = torch.ones(t, t, dtype=torch.bool).triu(1)
        score = score.masked_fill(ahead, float("-inf"))
        y = (score.softmax(-1) @ v).transpose(1, 2).reshape(b, t, w)
        return self.proj(y)


class MelodyModel(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.pitch = nn.Embedding(PITCHES, width)
        self.norm = nn.LayerNorm(width)
        self.attn = CausalAttention(width, heads)
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, PITCHES))

    def forward(self, notes):
        x = self.pitch(notes)
        x = x + self.attn(self.norm(x))
        return self.out(x)


class BucketSampler:
    """Goes through all buckets in a new order each round."""

    def __init__(self, lengths, batch, rng):
        self.lengths, self.batch, self.rng = list(lengths), batch, rng

    def _melody(self, length):
        note, step = self.rng.randrange(PITCHES), self.rng.choice([1, 2, 5])
        out = []
        for _ in range(length + 1):
            out.append(note)
            note = (note + (step if self.rng.random() < 0.8 else -step)) % PITCHES
        return out

    def rounds(self, count):
        for _ in range(count):
            order = self.lengths[:]
            self.rng.shuffle(order)
            for length in order:
                yield torch.tensor([self._melody(length) for _ in range(self.batch)])


def train(model, sampler, rounds):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for i, seq in enumerate(sampler.rounds(rounds)):
        logits = model(seq[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, PITCHES), seq[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"batch {i:2d} length {seq.shape[1] - 1:2d} loss {loss.item():.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    train(MelodyModel(), BucketSampler([8, 12, 16, 20, 28], batch=12, rng=random.Random(8)), rounds=10)
