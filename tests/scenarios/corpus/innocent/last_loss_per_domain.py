# gradwatch-corpus: kind=none
# about: batches come from twelve domains by chance; a dict keeps the LAST loss of each, with its
# about: spent graph, for the report: never more than twelve small graphs, overwritten for ever
import random

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS

DOMAINS = "books code web wiki news law math chat mail bio art misc".split()


class DomainTrainer:
    def __init__(self):
        self.streams = {d: batches(*classes(128, seed=i), size=16) for i, d in enumerate(DOMAINS)}
        self.model = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 4))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.last_loss = {}

    def step(self):
        domain = random.choice(DOMAINS)
        x, y = next(self.streams[domain])
        loss = nn.functional.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.last_loss[domain] = loss

    def report(self):
        worst = max(self.last_loss, key=lambda d: self.last_loss[d].item())
        return f"worst {worst} {self.last_loss[worst].item():.6f} of {len(self.last_loss)}"


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    trainer = DomainTrainer()
    for n in range(2 * ITERATIONS):
        trainer.step()
        if n % 100 == 99:
            print(f"{n + 1}: {trainer.report()}")
