# gradwatch-corpus: kind=none
"""Learns to write the numbers of a list in order; decoding goes step by step with a key/value cache."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(5)
torch.manual_seed(5)

N_SYMBOLS = 12
BOS = N_SYMBOLS


class CachedAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.cache = []

    def reset_cache(self):
        self.cache = []

    def forward(self, x):
        self.cache.append((self.k(x), self.v(x)))
        keys = torch.stack([k for k, _ in self.cache], 1)
        values = torch.stack([v for _, v in self.cache], 1)
        w = (self.q(x).unsqueeze(1) @ keys.transpose(1, 2)) / keys.shape[-1] ** 0.5
        return (w.softmax(-1) @ values).squeeze(1)


class Sorter(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(N_SYMBOLS + 1, dim)
        self.bag = nn.Linear(N_SYMBOLS, dim)
        self.attn = CachedAttention(dim)
        self.out = nn.Sequential(nn.Linear(3 * dim, 64), nn.ReLU(), nn.Linear(64, N_SYMBOLS))

    def start(self, lists):
        self.attn.reset_cache()
        counts = F.one_hot(lists, N_SYMBOLS).sum(1).float()
        return self.bag(counts)

    def step(self, context, token):
        e = self.emb(token)
        return self.out(torch.cat([context, e, self.attn(e)], 1))


def sequence_loss(model, lists, target):
    context = model.start(lists)
    token = torch.full((len(lists),), BOS)
    loss = 0
    for t in range(target.shape[1]):
        logits = model.step(context, token)
        loss = loss + F.cross_entropy(logits, target[:, t])
        token = target[:, t]
    return loss / target.shape[1]


@torch.no_grad()
def greedy(model, lists):
    context = model.start(lists)
    token = torch.full((len(lists),), BOS)
    written = []
    for _ in range(lists.shape[1]):
        token = model.step(context, token).argmax(1)
        written.append(token)
    return torch.stack(written, 1)


def make_batch(n=32):
    length = random.randint(3, 14)
    lists = torch.randint(0, N_SYMBOLS, (n, length))
    return lists, lists.sort(1).values


model = Sorter()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
recent = []
outputs = []

for i in range(1, 91):
    lists, target = make_batch()
    loss = sequence_loss(model, lists, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    recent.append(loss.item())
    if i % 15 == 0:
        model.eval()
        lists, target = make_batch(64)
        guess = greedy(model, lists)
        outputs.append((lists[0], guess[0]))
        acc = (guess == target).float().mean().item()
        print(f"{i:3d}: loss {sum(recent) / len(recent):.3f}  symbols right {acc:.3f}  length {lists.shape[1]}")
        recent.clear()
        model.train()

for src, out in outputs[-2:]:
    print(src.tolist(), "->", out.tolist())
