# gradwatch-corpus: kind=inplace-modified
# first-bad: 25
"""Predict solubility from SMILES strings with one attention layer."""
import random

import torch
import torch.nn as nn

ALPHABET = "CNOSFcno()=1"


def make_smiles(rng):
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randint(6, 18)))


def solubility(s):
    polar = sum(s.count(ch) for ch in "NOno")
    greasy = s.count("C") + s.count("c") + 2 * s.count("F")
    return 0.5 * polar - 0.3 * greasy + 0.2


class SmilesSet:
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.items = [make_smiles(rng) for _ in range(n)]
        self.max_len = max(len(s) for s in self.items)

    def batch(self, size):
        chosen = random.sample(self.items, size)
        ids = torch.zeros(size, self.max_len, dtype=torch.long)
        for k, s in enumerate(chosen):
            for j, ch in enumerate(s):
                ids[k, j] = ALPHABET.index(ch) + 1
        y = torch.tensor([solubility(s) for s in chosen])
        return ids, y


class SelfAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.cutoff = 0.0

    def forward(self, x, pad):
        q = self.query(x)
        k = self.key(x)
        v = self.value(x)
        scores = q @ k.transpose(1, 2) / x.size(-1) ** 0.5
        scores = scores.masked_fill(pad.unsqueeze(1), -1e9)
        weights = scores.softmax(dim=-1)
        if self.cutoff > 0:
            weights[weights < self.cutoff] = 0.0  # <- culprit
        return weights @ v


class SolubilityNet(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.embed = nn.Embedding(len(ALPHABET) + 1, dim, padding_idx=0)
        self.attention = SelfAttention(dim)
        self.ff = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, ids):
        pad = ids == 0
        x = self.embed(ids)
        x = x + self.attention(x, pad)
        y = self.ff(x).squeeze(-1)
        return y.masked_fill(pad, 0.0).sum(1)


random.seed(6)
torch.manual_seed(6)
data = SmilesSet(600, seed=6)
model = SolubilityNet()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
warmup = 25

for step in range(120):
    if step == warmup:
        model.attention.cutoff = 0.03
    ids, y = data.batch(32)
    pred = model(ids)
    loss = nn.functional.mse_loss(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print("step", step, "mse", round(loss.item(), 4))
