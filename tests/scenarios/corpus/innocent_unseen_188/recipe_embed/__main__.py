# gradwatch-corpus: kind=none
"""Contrastive recipe embeddings: two halves of one ingredient list are positives."""
import torch

from .cache import CuisineCache
from .model import RecipeEncoder, info_nce

CUISINES = 64


def recipes(gen, cuisine, n=12, length=10):
    base = (cuisine * 3) % 180
    local = base + torch.randint(0, 20, (n, length), generator=gen)
    common = torch.randint(0, 200, (n, length), generator=gen)
    pick = torch.rand(n, length, generator=gen) < 0.7
    tokens = torch.where(pick, local, common)
    return tokens[:, ::2], tokens[:, 1::2]


def train(steps=500):
    torch.manual_seed(44)
    gen = torch.Generator().manual_seed(45)
    encoder = RecipeEncoder()
    opt = torch.optim.Adam(encoder.parameters(), lr=5e-3)
    cache = CuisineCache(maxsize=20)
    running = 0.0
    for step in range(steps):
        cuisine = int(torch.randint(0, CUISINES, (1,), generator=gen))
        left, right = recipes(gen, cuisine)
        anchor, positive = encoder(left), encoder(right)
        neighbour = cache.get((cuisine + 1) % CUISINES)
        extra = None if neighbour is None else neighbour.detach()
        loss = info_nce(anchor, positive, extra)
        opt.zero_grad()
        loss.backward()
        opt.step()
        cache.put(cuisine, positive)
        running += loss.item()
        if step % 100 == 99:
            print(f"{step + 1} loss {running / 100:.3f} cached {len(cache)} hits {cache.hits}/{cache.hits + cache.misses}")
            running = 0.0


if __name__ == "__main__":
    train()
