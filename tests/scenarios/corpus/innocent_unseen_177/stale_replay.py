# gradwatch-corpus: kind=none
"""Online churn scoring with an aggregated stale gradient: the objective of an
update is the age-weighted sum of the latest loss graphs."""
import torch
from torch import nn
from torch.nn import functional as F

FIELDS = 20


class Replay:
    def __init__(self, ages, decay):
        self.ring = [None] * ages
        self.cursor = 0
        self.decay = decay

    def insert(self, loss):
        self.ring[self.cursor] = loss
        self.cursor = (self.cursor + 1) % len(self.ring)

    def by_age(self):
        n = len(self.ring)
        for age in range(n):
            loss = self.ring[(self.cursor - 1 - age) % n]
            if loss is not None:
                yield age, loss

    def objective(self):
        weighted = [(self.decay ** age, loss) for age, loss in self.by_age()]
        norm = sum(w for w, _ in weighted)
        return sum(w * loss for w, loss in weighted) / norm


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(FIELDS, 1)
        self.register_buffer("mean", torch.zeros(FIELDS))
        self.register_buffer("square", torch.ones(FIELDS))

    def forward(self, x):
        if self.training:
            self.mean = 0.99 * self.mean + 0.01 * x.mean(0)
            self.square = 0.99 * self.square + 0.01 * x.square().mean(0)
        scale = (self.square - self.mean.square()).clamp(min=1e-4).rsqrt()
        return self.linear((x - self.mean) * scale).squeeze(1)


class Customers:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(FIELDS, generator=self.gen)

    def batch(self, n):
        self.w = self.w + 0.02 * torch.randn(FIELDS, generator=self.gen)
        x = torch.randn(n, FIELDS, generator=self.gen)
        return x, torch.bernoulli(torch.sigmoid(x @ self.w), generator=self.gen)


def main(iterations=900):
    torch.manual_seed(101)
    customers, scorer = Customers(102), Scorer()
    replay = Replay(ages=6, decay=0.7)
    opt = torch.optim.Adam(scorer.parameters(), lr=5e-3)
    history = [0.0] * 100
    for it in range(iterations):
        x, y = customers.batch(40)
        replay.insert(F.binary_cross_entropy_with_logits(scorer(x), y))
        objective = replay.objective()
        opt.zero_grad()
        objective.backward(retain_graph=True)
        opt.step()
        history[it % len(history)] = objective.detach()
        if it % 150 == 149:
            print(f"{it + 1} objective {torch.stack(history).mean():.4f} "
                  f"norm {scorer.linear.weight.norm().item():.3f}")


if __name__ == "__main__":
    main()
