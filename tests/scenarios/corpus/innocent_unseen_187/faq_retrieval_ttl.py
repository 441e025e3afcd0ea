# gradwatch-corpus: kind=none
import random
from collections import OrderedDict

import torch
from torch import nn
import torch.nn.functional as F


class TTLCache:
    def __init__(self, ttl):
        self.ttl = ttl
        self.store = OrderedDict()
        self.clock = 0
        self.hits = 0

    def tick(self):
        self.clock += 1
        while self.store:
            key, (born, _) = next(iter(self.store.items()))
            if self.clock - born < self.ttl:
                break
            del self.store[key]

    def put(self, key, value):
        self.store.pop(key, None)
        self.store[key] = (self.clock, value)

    def get(self, key):
        found = self.store.get(key)
        if found is None:
            return None
        self.hits += 1
        return found[1]


class BagEncoder(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.proj = nn.Linear(dim, dim)

    def forward(self, tokens):
        return F.normalize(self.proj(torch.tanh(self.bag(tokens))), dim=-1)


class FaqData:
    def __init__(self, topics=40, vocab=300, seed=13):
        self.rng = random.Random(seed)
        self.words = [[self.rng.randrange(vocab) for _ in range(10)] for _ in range(topics)]
        self.topics = topics
        self.vocab = vocab

    def sentence(self, topic, length=6):
        return [self.rng.choice(self.words[topic]) if self.rng.random() < 0.85 else self.rng.randrange(self.vocab) for _ in range(length)]

    def batch(self, n):
        topics = self.rng.sample(range(self.topics), n)
        q = torch.tensor([self.sentence(t) for t in topics])
        a = torch.tensor([self.sentence(t) for t in topics])
        return topics, q, a


def main():
    torch.manual_seed(13)
    data = FaqData()
    encoder = BagEncoder(data.vocab)
    opt = torch.optim.Adam(encoder.parameters(), lr=5e-3)
    cache = TTLCache(ttl=25)
    for step in range(500):
        cache.tick()
        topics, q, a = data.batch(12)
        zq, za = encoder(q), encoder(a)
        logits = 10 * zq @ za.t()
        loss = F.cross_entropy(logits, torch.arange(len(topics)))
        remembered = [(i, cache.get(t)) for i, t in enumerate(topics)]
        remembered = [(i, z) for i, z in remembered if z is not None]
        if remembered:
            rows = [i for i, _ in remembered]
            old = torch.stack([z for _, z in remembered]).detach()
            loss = loss + 0.2 * (1 - (zq[rows] * old).sum(-1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for t, z in zip(topics, za):
            cache.put(t, z)
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.4f} cached {len(cache.store)} hits {cache.hits}")


if __name__ == "__main__":
    main()
