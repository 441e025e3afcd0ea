# gradwatch-corpus: kind=graph-chain
# holder: self.belief | self.belief.concentration1 | tracker.belief | agent.tracker.belief
# first-bad: 1
# notice: 5
"""Response model for offers; a Beta belief about the overall rate regularises it."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Beta, kl_divergence

torch.set_num_threads(1)
torch.manual_seed(40)


@dataclass
class RateTracker:
    forget: float = 0.9
    belief: Beta = field(default_factory=lambda: Beta(torch.tensor(2.0), torch.tensor(6.0)))

    def observe(self, hits, misses):
        self.belief = Beta(  # <- culprit
            1.0 + self.forget * (self.belief.concentration1 - 1.0) + hits,
            1.0 + self.forget * (self.belief.concentration0 - 1.0) + misses)
        return self.belief


class OfferModel(nn.Module):
    def __init__(self, features=14):
        super().__init__()
        self.coef = nn.Linear(features, 1)

    def forward(self, x):
        return self.coef(x).squeeze(-1)


class OfferTrainer:
    def __init__(self, pull=0.05):
        self.model = OfferModel()
        self.tracker = RateTracker()
        self.reference = Beta(torch.tensor(12.0), torch.tensor(36.0))
        self.pull = pull
        self.opt = torch.optim.Adam(self.model.parameters(), lr=0.02)
        self.truth = torch.randn(14) * 0.6

    def customers(self, n=30):
        x = torch.randn(n, 14)
        y = torch.bernoulli(torch.sigmoid(x @ self.truth - 1.0))
        return x, y

    def step(self):
        x, y = self.customers()
        logits = self.model(x)
        p = torch.sigmoid(logits)
        belief = self.tracker.observe(p.sum() / 6, (1 - p).sum() / 6)  # <- culprit
        fit = F.binary_cross_entropy_with_logits(logits, y)
        prior = kl_divergence(belief, self.reference)
        loss = fit + self.pull * prior
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return fit.item(), prior.item()


def main():
    trainer = OfferTrainer()
    for it in range(80):
        fit, prior = trainer.step()
        if it % 20 == 19:
            mean = trainer.tracker.belief.mean.item()
            print(f"it {it + 1} bce {fit:.4f} kl {prior:.4f} believed rate {mean:.3f}")


if __name__ == "__main__":
    main()
