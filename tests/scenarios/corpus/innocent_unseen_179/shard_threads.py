# gradwatch-corpus: kind=none
"""Data-parallel logistic training with threads; every round joins its shards."""
from concurrent.futures import ThreadPoolExecutor, wait

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(23)


class Tagger(nn.Module):
    def __init__(self, vocab=80, dim=16, tags=5):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.hidden = nn.Linear(dim, 32)
        self.out = nn.Linear(32, tags)

    def forward(self, tokens):
        return self.out(F.relu(self.hidden(self.embed(tokens))))


class Pool:
    def __init__(self, workers):
        self.executor = ThreadPoolExecutor(workers)
        self.tickets = {}
        self.previous = {}

    def submit(self, name, fn, *args):
        self.tickets[name] = self.executor.submit(fn, *args)

    def join(self):
        wait(self.tickets.values())
        self.previous, self.tickets = self.tickets, {}
        return {name: ticket.result() for name, ticket in self.previous.items()}

    def imbalance(self):
        values = [t.result().item() for t in self.previous.values()]
        return max(values) - min(values)


def make_data(n=2000):
    tokens = torch.randint(0, 80, (n, 12))
    tags = (tokens < 16).sum(1).clamp_max(4)
    return tokens, tags


def main():
    tokens, tags = make_data()
    model = Tagger()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    pool = Pool(workers=3)

    def shard_loss(index):
        return F.cross_entropy(model(tokens[index]), tags[index])

    for step in range(480):
        batch = torch.randperm(len(tokens))[:96]
        for number, index in enumerate(batch.chunk(3)):
            pool.submit(f"{step}/{number}", shard_loss, index)
        results = pool.join()
        loss = torch.stack(list(results.values())).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 60 == 0:
            print(step, f"loss {loss.item():.4f} imbalance {pool.imbalance():.4f}")
    pool.executor.shutdown()


if __name__ == "__main__":
    main()
