# gradwatch-corpus: kind=none
"""Tide harmonics by LBFGS, slow weights on top, one station after another."""
import math
from collections import deque

import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import Sampler

torch.set_num_threads(1)

PERIODS = torch.tensor([12.42, 12.0, 23.93, 25.82])


class Metric:
    def __init__(self, keep=20):
        self.values = deque(maxlen=keep)

    def compute(self):
        return float(torch.stack(list(self.values)).mean()) if self.values else float("nan")


class Residual(Metric):
    def update(self, level, predicted):
        self.values.append((level - predicted).abs().mean())


class Evaluations(Metric):
    def update(self, n):
        self.values.append(torch.tensor(float(n)))


class WorstFirst(Sampler):
    """Stations in order of their last loss, the worst one first; reordered when exhausted."""

    def __init__(self, n, visits):
        self.last = {i: float("inf") for i in range(n)}
        self.visits = visits

    def __len__(self):
        return self.visits

    def __iter__(self):
        left = self.visits
        while left > 0:
            for i in sorted(self.last, key=self.last.get, reverse=True)[:left]:
                left -= 1
                yield i

    def report(self, i, loss):
        self.last[i] = float(loss)


class SlowLBFGS(torch.optim.LBFGS):
    """LBFGS whose result is averaged with slow weights every few steps."""

    def __init__(self, params, every=5, alpha=0.7, **kw):
        super().__init__(params, **kw)
        self.every, self.alpha, self.taken = every, alpha, 0
        self.slow = [p.detach().clone() for p in self.param_groups[0]["params"]]

    def step(self, closure):
        first = super().step(closure)
        self.taken += 1
        if self.taken % self.every == 0:
            with torch.no_grad():
                for s, p in zip(self.slow, self.param_groups[0]["params"]):
                    s.lerp_(p, self.alpha)
                    p.copy_(s)
        return first


class Station(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.coef = torch.nn.Parameter(torch.zeros(2, len(PERIODS)))
        self.log_speed = torch.nn.Parameter(torch.zeros(len(PERIODS)))
        self.datum = torch.nn.Parameter(torch.zeros(()))

    def forward(self, hours):
        arg = hours.unsqueeze(-1) * (2 * math.pi / PERIODS) * torch.exp(0.01 * self.log_speed)
        return arg.cos() @ self.coef[0] + arg.sin() @ self.coef[1] + self.datum

    def roughness(self):
        return self.log_speed.square().sum() + 1e-2 * self.coef.square().sum()


class StationFit:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.truth = torch.randn(2, len(PERIODS), generator=self.gen)
        self.model = Station()
        self.opt = SlowLBFGS(self.model.parameters(), lr=0.5, max_iter=5, history_size=6,
                             line_search_fn="strong_wolfe")
        self.plateau = ReduceLROnPlateau(self.opt, patience=4)
        self.terms = {}
        self.calls = 0

    def record(self):
        hours = 48 * torch.rand(60, generator=self.gen)
        arg = hours.unsqueeze(-1) * (2 * math.pi / PERIODS)
        level = arg.cos() @ self.truth[0] + arg.sin() @ self.truth[1]
        return hours, level + 0.05 * torch.randn(60, generator=self.gen)

    def visit(self, residual, evaluations):
        hours, level = self.record()
        self.calls = 0

        def closure():
            self.opt.zero_grad()
            self.terms["data"] = (self.model(hours) - level).square().mean()
            self.terms["prior"] = 1e-3 * self.model.roughness()
            loss = self.terms["data"] + self.terms["prior"]
            loss.backward()
            self.calls += 1
            return loss

        loss = self.opt.step(closure)
        self.plateau.step(loss.detach())
        with torch.no_grad():
            residual.update(level, self.model(hours))
        evaluations.update(self.calls)
        share = (self.terms["prior"] / (self.terms["data"] + self.terms["prior"])).item()
        self.terms.clear()
        return loss.detach(), share


def main(stations=5, visits=160):
    torch.manual_seed(0)
    fits = [StationFit(100 + k) for k in range(stations)]
    residual, evaluations = Residual(), Evaluations()
    sampler = WorstFirst(stations, visits)
    for n, k in enumerate(sampler):
        loss, share = fits[k].visit(residual, evaluations)
        sampler.report(k, loss)
        if n % 20 == 19:
            print(f"{n + 1:3d} station {k} loss {loss:.5f} prior share {share:.3f} "
                  f"|r| {residual.compute():.4f} calls {evaluations.compute():.1f}")


if __name__ == "__main__":
    main()
