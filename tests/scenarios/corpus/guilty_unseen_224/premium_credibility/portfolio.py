from dataclasses import dataclass

import torch


@dataclass
class Rows:
    features: torch.Tensor
    region: torch.Tensor
    claims: torch.Tensor


class Portfolio:
    n_features = 10
    n_regions = 6

    def __init__(self, policies, months, seed):
        self.months = months
        self.gen = torch.Generator().manual_seed(seed)
        self.x = torch.randn(policies, self.n_features, generator=self.gen)
        self.region = torch.randint(0, self.n_regions, (policies,), generator=self.gen)
        self.effect = torch.randn(self.n_regions, generator=self.gen) * 0.3

    def sample(self, month, size):
        idx = torch.randint(0, len(self.x), (size,), generator=self.gen)
        x = self.x[idx]
        region = self.region[idx]
        rate = torch.exp(0.3 * x[:, 0] + self.effect[region] + 0.004 * month - 1)
        claims = torch.poisson(rate, generator=self.gen)
        return Rows(x, region, claims)
