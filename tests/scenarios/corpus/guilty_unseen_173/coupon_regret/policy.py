import torch
import torch.nn as nn


class LinearPolicy(nn.Module):
    def __init__(self, n_features, n_coupons):
        super().__init__()
        self.score = nn.Linear(n_features, n_coupons)

    def forward(self, x):
        return self.score(x).log_softmax(dim=-1)


class RegretObjective:
    """Importance-weighted shortfall against a reference level, summed over the campaign so far."""

    def __init__(self, reference=0.75):
        self.reference = reference
        self.total = torch.zeros(())
        self.rounds = 0

    def add(self, logp, coupon, reward, behaviour):
        picked = logp.gather(1, coupon.unsqueeze(1)).squeeze(1)
        weight = (picked - behaviour).exp().clamp(max=5.0)
        self.total = self.total + (weight * (self.reference - reward)).mean()  # <- culprit
        self.rounds += 1
        return self.total

    def average(self):
        return self.total.item() / max(self.rounds, 1)
