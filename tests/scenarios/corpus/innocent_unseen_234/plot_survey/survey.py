from dataclasses import dataclass

import torch


@dataclass
class Plot:
    covariates: torch.Tensor
    counts: torch.Tensor
    visits: int


class Survey:
    def __init__(self, n_regions, plots_per_region, seed):
        g = torch.Generator().manual_seed(seed)
        slope = 0.5 * torch.randn(3, 8, generator=g)
        level = torch.randn(8, generator=g)
        self._regions = []
        for _ in range(n_regions):
            region = []
            for _ in range(plots_per_region):
                visits = int(torch.randint(2, 6, (1,), generator=g))
                x = torch.randn(12, 3, generator=g)
                rate = torch.exp(level + x @ slope)
                y = torch.poisson(rate.expand(visits, -1, -1).contiguous(), generator=g)
                keep = torch.rand(y.shape, generator=g) < 0.6
                region.append(Plot(x, y * keep, visits))
            self._regions.append(region)

    def regions(self):
        return iter(self._regions)
