# gradwatch-corpus: kind=none
"""Two-tower retrieval where several micro-batches of a step share encoded entities."""
import argparse

import torch

from .cache import CacheHousekeeping
from .towers import TwoTower


class Corpus:
    def __init__(self, n=80, topics=6, dim=16, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        centres = torch.randn(topics, dim, generator=self.g)
        self.n, self.topics = n, topics
        idx = torch.arange(n) % topics
        self.queries = centres[idx] + 0.6 * torch.randn(n, dim, generator=self.g)
        self.docs = centres[idx] + 0.6 * torch.randn(n, dim, generator=self.g)

    def topic(self, ids):
        return ids % self.topics

    def micro_batches(self, count, size):
        for _ in range(count):
            yield (torch.randint(self.n, (size,), generator=self.g),
                   torch.randint(self.n, (size,), generator=self.g))


class Trainer:
    def __init__(self, model, corpus, micro=3, size=12, lr=2e-3):
        self.model, self.corpus, self.micro, self.size = model, corpus, micro, size
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.opt.register_step_post_hook(CacheHousekeeping(model.query_cache, model.doc_cache))

    def step(self):
        parts = [
            self.model.loss(self.corpus, q, d)
            for q, d in self.corpus.micro_batches(self.micro, self.size)
        ]
        self.opt.zero_grad()
        for part in parts[:-1]:
            (part / self.micro).backward(retain_graph=True)
        (parts[-1] / self.micro).backward()
        self.opt.step()
        return sum(p.item() for p in parts) / self.micro


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    torch.manual_seed(12)
    model = TwoTower()
    trainer = Trainer(model, Corpus(seed=12))
    for i in range(args.steps):
        value = trainer.step()
        if i % 100 == 0:
            print(f"{i:4d} {value:.4f} hits {model.doc_cache.hits} misses {model.doc_cache.misses}")


if __name__ == "__main__":
    main()
