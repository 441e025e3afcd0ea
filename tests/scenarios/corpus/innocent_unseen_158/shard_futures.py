# gradwatch-corpus: kind=none
"""Likelihood over several stations, each shard evaluated by a pool of threads."""
from collections import ChainMap
from concurrent.futures import ThreadPoolExecutor, as_completed
from types import SimpleNamespace

import torch
import torch.nn as nn
from torch.distributions import NegativeBinomial, StudentT

torch.set_num_threads(1)
torch.manual_seed(29)

DEFAULTS = {"weight": 1.0, "family": "count", "smooth": 0.0}
STATIONS = {
    "north": {"weight": 2.0},
    "south": {"family": "level", "smooth": 0.01},
    "east": {},
    "west": {"family": "level"},
}


class StationModel(nn.Module):
    def __init__(self, inputs=7):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(inputs, 24), nn.Softplus())
        self.heads = nn.ModuleDict({name: nn.Linear(24, 1) for name in STATIONS})
        self.spread = nn.ParameterDict({name: nn.Parameter(torch.zeros(())) for name in STATIONS})

    def nll(self, name, setting, x, y):
        eta = self.heads[name](self.shared(x)).squeeze(-1)
        if setting["family"] == "count":
            dist = NegativeBinomial(self.spread[name].exp() + 1.0, logits=eta)
        else:
            dist = StudentT(4.0, loc=eta, scale=self.spread[name].exp())
        smooth = setting["smooth"] * eta.diff().square().mean()
        return -setting["weight"] * dist.log_prob(y).mean() + smooth


def observe(name, n=20):
    x = torch.randn(n, 7)
    rate = 1.0 + x[:, 0].abs() + 0.5 * x[:, len(name) % 7].abs()
    level = STATIONS[name].get("family") == "level"
    return x, rate + 0.1 * torch.randn(n) if level else torch.poisson(rate)


def step(run):
    run.futures = {}
    for name, own in STATIONS.items():
        x, y = observe(name)
        setting = ChainMap({}, own, DEFAULTS)
        run.futures[run.pool.submit(run.model.nll, name, setting, x, y)] = name
    parts = {run.futures[f]: f.result() for f in as_completed(run.futures)}
    loss = sum(parts[name] for name in STATIONS)
    run.opt.zero_grad()
    loss.backward()
    run.opt.step()
    for name, value in parts.items():
        run.sums[name] = run.sums.get(name, 0.0) + value.item()


def main():
    model = StationModel()
    with ThreadPoolExecutor(max_workers=2) as pool:
        run = SimpleNamespace(model=model, pool=pool, futures={}, sums={},
                              opt=torch.optim.Adam(model.parameters(), lr=5e-3))
        for it in range(80):
            step(run)
            if it % 20 == 19:
                print(it + 1, {k: round(v / 20, 3) for k, v in sorted(run.sums.items())})
                run.sums.clear()


if __name__ == "__main__":
    main()
