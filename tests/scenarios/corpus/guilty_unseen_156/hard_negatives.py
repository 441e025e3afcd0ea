# gradwatch-corpus: kind=graph-held
# holder: sampler.difficulty | self.sampler.difficulty | self.difficulty
# first-bad: 1
# notice: 8
"""Spoken-digit style language ID from n-gram counts, with difficulty-weighted sampling."""
import math
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Sampler


class Utterances(Dataset):
    ALPHABET = "abcdefgh"

    def __init__(self, n=1600, length=14, seed=4):
        rng = random.Random(seed)
        self.items = []
        for i in range(n):
            lang = rng.randrange(3)
            bias = [1.0 + 2.0 * math.exp(-abs(k - 3 * lang)) for k in range(8)]
            text = rng.choices(range(8), weights=bias, k=length)
            self.items.append((torch.tensor(text), lang))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        text, lang = self.items[i]
        return i, text, lang


class DifficultySampler(Sampler):
    """Visits everything once an epoch, hardest first as far as known."""

    def __init__(self, n, seed=9):
        self.n = n
        self.difficulty = {}
        self.rng = random.Random(seed)

    def observe(self, index, losses):
        self.difficulty.update(zip(index.tolist(), losses))  # <- culprit

    def __iter__(self):
        order = list(range(self.n))
        self.rng.shuffle(order)
        order.sort(key=lambda i: -round(float(self.difficulty.get(i, 0.0)), 1))
        return iter(order)

    def __len__(self):
        return self.n


class CharCNN(nn.Module):
    def __init__(self, vocab=8, dim=12, langs=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 24, 3)
        self.fc = nn.Linear(24, langs)

    def forward(self, text):
        x = self.embed(text).transpose(1, 2)
        return self.fc(torch.relu(self.conv(x)).amax(dim=2))


def run_epoch(model, loader, sampler, opt):
    total, seen = 0.0, 0
    for index, text, lang in loader:
        losses = nn.functional.cross_entropy(model(text), lang, reduction="none")
        sampler.observe(index, losses)  # <- culprit
        opt.zero_grad()
        losses.mean().backward()
        opt.step()
        total += losses.sum().item()
        seen += len(lang)
    return total / seen


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    data = Utterances()
    sampler = DifficultySampler(len(data))
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    model = CharCNN()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(1, 3):
        print(f"epoch {epoch}: {run_epoch(model, loader, sampler, opt):.3f}")
    worst = sorted(sampler.difficulty, key=lambda i: -float(sampler.difficulty[i]))[:5]
    print("hardest:", worst)


if __name__ == "__main__":
    main()
