# gradwatch-corpus: kind=none
"""Sentiment over many shops. Batches come from one shop at a time, chosen by its latest loss."""
import math
import random

import torch
from torch import nn

N_SHOPS = 28
VOCAB = 200


class Shops:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.topic = torch.rand(N_SHOPS, VOCAB, generator=self.g).pow(4)
        self.polarity = torch.randn(VOCAB, generator=self.g)
        self.local = 0.6 * torch.randn(N_SHOPS, VOCAB, generator=self.g)

    def batch(self, shop, n=24, length=12):
        words = torch.multinomial(self.topic[shop].expand(n, -1), length, replacement=True, generator=self.g)
        score = (self.polarity + self.local[shop])[words].mean(1)
        return words, (score > 0).float()


class BagClassifier(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.words = nn.EmbeddingBag(VOCAB, dim, mode="mean")
        self.shop = nn.Embedding(N_SHOPS, dim)
        self.mix = nn.Bilinear(dim, dim, dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, words, shop):
        w = self.words(words)
        s = self.shop(torch.full((len(words),), shop))
        return self.out(torch.tanh(self.mix(w, s) + w)).squeeze(1)


class LossBoard:
    """Latest loss of each shop; untouched shops come first."""

    def __init__(self, rng, temperature=0.4, staleness=40):
        self.latest = {}
        self.when = {}
        self.rng = rng
        self.temperature = temperature
        self.staleness = staleness

    def pick(self, step):
        missing = [s for s in range(N_SHOPS) if s not in self.latest]
        if missing:
            return self.rng.choice(missing)
        overdue = [s for s in self.when if step - self.when[s] > self.staleness]
        if overdue:
            return overdue[0]
        weights = [math.exp(self.latest[s].item() / self.temperature) for s in range(N_SHOPS)]
        return self.rng.choices(range(N_SHOPS), weights)[0]

    def put(self, shop, loss, step):
        self.latest[shop] = loss
        self.when[shop] = step

    def hardest(self, k=3):
        return sorted(self.latest, key=lambda s: -self.latest[s].item())[:k]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    shops = Shops(seed=2)
    model = BagClassifier()
    opt = torch.optim.Adagrad(model.parameters(), lr=0.08)
    criterion = nn.BCEWithLogitsLoss()
    board = LossBoard(random.Random(3))
    for step in range(600):
        shop = board.pick(step)
        words, y = shops.batch(shop)
        loss = criterion(model(words, shop), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        board.put(shop, loss, step)
        if step % 100 == 99:
            mean = sum(v.item() for v in board.latest.values()) / len(board.latest)
            print(f"{step + 1}: mean latest {mean:.3f} hardest {board.hardest()}")


if __name__ == "__main__":
    main()
