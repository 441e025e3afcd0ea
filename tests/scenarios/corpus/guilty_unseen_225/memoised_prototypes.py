# gradwatch-corpus: kind=second-backward
# holder: self._cache | self.prototype_of | bank._cache
# first-bad: 5
"""Few-shot plant species classifier. Prototypes of the support sets are memoised per species."""
import random
from functools import partial

import torch
from torch import nn, Tensor


def memoize(fn):
    def wrapper(self, key):
        if key not in self._cache:
            self._cache[key] = fn(self, key)  # <- culprit
        return self._cache[key]
    return wrapper


class LeafEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(2),
            nn.Flatten(),
        )
        self.proj = nn.Linear(128, 24)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(self.conv(x))


class PrototypeBank(nn.Module):
    def __init__(self, encoder, support):
        super().__init__()
        self.encoder = encoder
        self.support = support
        self._cache = {}

    @memoize  # <- culprit
    def prototype_of(self, species: int) -> Tensor:
        return self.encoder(self.support[species]).mean(0)

    def logits(self, queries: Tensor, species: list) -> Tensor:
        protos = torch.stack([self.prototype_of(s) for s in species])
        z = self.encoder(queries)
        return -torch.cdist(z, protos).pow(2) / z.shape[1] ** 0.5


def photograph(template, n, gen):
    noise = torch.randn(n, *template.shape, generator=gen)
    return template + 0.6 * noise


def episodes(templates, way, shots, gen, rng):
    order = list(range(len(templates)))
    rng.shuffle(order)
    while True:
        for start in range(0, len(order), way):
            species = order[start:start + way]
            q = [photograph(templates[s], shots, gen) for s in species]
            labels = torch.arange(way).repeat_interleave(shots)
            yield species, torch.cat(q), labels
        rng.shuffle(order)


def main():
    torch.manual_seed(17)
    rng = random.Random(17)
    gen = torch.Generator().manual_seed(17)
    templates = torch.randn(25, 3, 24, 24, generator=gen)
    support = {i: photograph(templates[i], 5, gen) for i in range(25)}
    bank = PrototypeBank(LeafEncoder(), support)
    make_opt = partial(torch.optim.AdamW, lr=1e-3, weight_decay=1e-2)
    optimizer = make_opt(bank.parameters())
    stream = episodes(templates, 5, 4, gen, rng)
    for it in range(100):
        species, queries, labels = next(stream)
        scores = bank.logits(queries, species)
        loss = nn.functional.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        acc = (scores.argmax(1) == labels).float().mean().item()
        print(f"episode {it} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
