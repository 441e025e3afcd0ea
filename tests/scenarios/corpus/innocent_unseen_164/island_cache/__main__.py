# gradwatch-corpus: kind=none
import torch
from torch import nn

from .cache import GenerationCache
from .islands import Island

torch.set_num_threads(1)
torch.manual_seed(33)


class Archipelago:
    def __init__(self):
        self.encoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 10))
        self.enc_opt = torch.optim.Adam(self.encoder.parameters(), lr=2e-3)
        self.points = {t: torch.randn(20, 4) for t in range(4)}
        self.targets = {t: torch.sin(x.sum(1, keepdim=True) + t) for t, x in self.points.items()}
        self.cache = GenerationCache(lambda t: self.encoder(self.points[t]))
        pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
        self.islands = [Island(f"isle{i}", p) for i, p in enumerate(pairs)]

    def generation(self):
        with self.cache as cache:
            self.enc_opt.zero_grad()
            last = len(self.islands) - 1
            for i, island in enumerate(self.islands):
                loss = island.loss(cache, self.targets)
                island.opt.zero_grad()
                loss.backward(retain_graph=i < last)
                island.opt.step()
                island.settle(loss.item())
            self.enc_opt.step()

    def migrate(self):
        best = min(self.islands, key=lambda i: i.elite[0])
        worst = max(self.islands, key=lambda i: i.fitness[-1])
        if best is not worst:
            worst.immigrate(best.elite[1])

    def run(self, generations):
        for g in range(generations):
            self.generation()
            if g % 10 == 9:
                self.migrate()
                print(g, {i.name: round(i.fitness[-1], 4) for i in self.islands}, self.cache.hits)


if __name__ == "__main__":
    Archipelago().run(40)
