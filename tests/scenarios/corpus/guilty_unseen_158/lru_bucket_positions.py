# gradwatch-corpus: kind=second-backward
# holder: self.grid | RotaryBias.grid | positions.grid | self.positions.grid | model.positions.grid | grid
# first-bad: 3
# notice: 0
"""Pooled text classifier on batches of like length, drawn by a bucketing sampler."""
from functools import lru_cache

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Sampler

torch.set_num_threads(1)
torch.manual_seed(6)

LENGTHS = (6, 8, 10, 12, 16, 20)


class Reviews(Dataset):
    def __init__(self, size=480, vocab=40):
        g = torch.Generator().manual_seed(1)
        self.lengths = [LENGTHS[i] for i in torch.randint(len(LENGTHS), (size,), generator=g).tolist()]
        self.tokens = [torch.randint(2, vocab, (n,), generator=g) for n in self.lengths]

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        tokens = self.tokens[i]
        return tokens, int(tokens[: len(tokens) // 2].float().mean() > 20)


class BucketSampler(Sampler):
    def __init__(self, lengths, batch):
        self.lengths = lengths
        self.batch = batch

    def __iter__(self):
        buckets, ready = {}, []
        for i in torch.randperm(len(self.lengths)).tolist():
            bucket = buckets.setdefault(self.lengths[i], [])
            bucket.append(i)
            if len(bucket) == self.batch:
                ready.append(buckets.pop(self.lengths[i]))
        for j in torch.randperm(len(ready)).tolist():
            yield ready[j]


class RotaryBias(nn.Module):
    def __init__(self, width, waves=8):
        super().__init__()
        self.freq = nn.Parameter(torch.logspace(0, -2, waves))
        self.mix = nn.Linear(2 * waves, width)

    @lru_cache(maxsize=32)  # <- culprit
    def grid(self, length):
        phase = torch.arange(length).float().unsqueeze(1) * self.freq  # <- culprit
        return self.mix(torch.cat([phase.sin(), phase.cos()], dim=-1))  # <- culprit

    def forward(self, x):
        return x + self.grid(x.size(1))  # <- culprit


class ReviewNet(nn.Module):
    def __init__(self, vocab=40, width=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.positions = RotaryBias(width)
        self.gate = nn.Linear(width, 1)
        self.out = nn.Linear(width, 2)

    def forward(self, tokens):
        x = torch.tanh(self.positions(self.embed(tokens)))
        weight = self.gate(x).softmax(dim=1)
        return self.out((weight * x).sum(dim=1))


def collate(rows):
    return torch.stack([t for t, _ in rows]), torch.tensor([y for _, y in rows])


def main():
    data = Reviews()
    loader = DataLoader(data, batch_sampler=BucketSampler(data.lengths, batch=8), collate_fn=collate)
    model = ReviewNet()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(3):
        total = 0.0
        for tokens, labels in loader:
            loss = F.cross_entropy(model(tokens), labels)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} sum {total:.3f}")


if __name__ == "__main__":
    main()
