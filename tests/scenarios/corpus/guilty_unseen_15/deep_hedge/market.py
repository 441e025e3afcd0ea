"""Heston scenarios (full truncation Euler)."""
import functools
import itertools
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class MarketSpec:
    steps: int
    dt: float
    v0: float = 0.04
    kappa: float = 1.5
    theta: float = 0.05
    xi: float = 0.5
    rho: float = -0.7


def scenario_seeds(base=1000):
    return itertools.count(base)


@functools.lru_cache(maxsize=None)  # <- culprit
def simulate_paths(spec: MarketSpec, paths: int, seed: int):
    gen = torch.Generator().manual_seed(seed)
    z = torch.randn(2, spec.steps, paths, generator=gen)
    dw_v = z[0]
    dw_s = spec.rho * z[0] + (1 - spec.rho ** 2) ** 0.5 * z[1]
    s = torch.ones(paths)
    v = torch.full((paths,), spec.v0)
    spots, variances = [s], [v]
    for k in range(spec.steps):
        vp = v.clamp_min(0.0)
        s = s * torch.exp(-0.5 * vp * spec.dt + (vp * spec.dt).sqrt() * dw_s[k])
        v = v + spec.kappa * (spec.theta - vp) * spec.dt + spec.xi * (vp * spec.dt).sqrt() * dw_v[k]
        spots.append(s)
        variances.append(v)
    return torch.stack(spots, dim=1), torch.stack(variances, dim=1).clamp_min_(0.0)
