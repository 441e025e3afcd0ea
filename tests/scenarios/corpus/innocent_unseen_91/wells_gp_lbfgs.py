# gradwatch-corpus: kind=none
# Kriging of groundwater levels: one small GP per aquifer, hyper-parameters by L-BFGS
# on the marginal likelihood, warm-started as new well readings arrive.
import math
from dataclasses import dataclass, field

import torch


@dataclass
class Aquifer:
    name: str
    scale: float
    x: torch.Tensor = field(default_factory=lambda: torch.empty(0, 2))
    y: torch.Tensor = field(default_factory=lambda: torch.empty(0))

    def level(self, x):
        return torch.sin(x[:, 0] / self.scale) + 0.5 * torch.cos(x[:, 1] / self.scale)

    def survey(self, n, keep=40):
        x = torch.rand(n, 2) * 4
        y = self.level(x) + 0.1 * torch.randn(n)
        self.x, self.y = torch.cat([self.x, x])[-keep:], torch.cat([self.y, y])[-keep:]


class GP:
    def __init__(self):
        self.log_len = torch.zeros(2, requires_grad=True)
        self.log_var = torch.zeros((), requires_grad=True)
        self.log_noise = torch.tensor(-1.5, requires_grad=True)

    def params(self):
        return [self.log_len, self.log_var, self.log_noise]

    def kernel(self, a, b):
        a, b = a / self.log_len.exp(), b / self.log_len.exp()
        d2 = (a[:, None] - b[None]).square().sum(-1)
        return self.log_var.exp() * torch.exp(-0.5 * d2)

    def factor(self, x):
        K = self.kernel(x, x) + (self.log_noise.exp() + 1e-4) * torch.eye(len(x))
        return torch.linalg.cholesky(K)

    def nll(self, x, y):
        L = self.factor(x)
        alpha = torch.cholesky_solve(y[:, None], L).squeeze(1)
        prior = sum(0.05 * p.square().sum() for p in self.params())
        return 0.5 * y @ alpha + L.diagonal().log().sum() + 0.5 * len(y) * math.log(2 * math.pi) + prior

    @torch.no_grad()
    def predict(self, x, y, q):
        L = self.factor(x)
        return self.kernel(q, x) @ torch.cholesky_solve(y[:, None], L).squeeze(1)


def fit(gp, aq):
    opt = torch.optim.LBFGS(gp.params(), lr=0.5, max_iter=3, history_size=5,
                            line_search_fn="strong_wolfe")
    seen = []

    def closure():
        opt.zero_grad()
        loss = gp.nll(aq.x, aq.y)
        loss.backward()
        seen.append(loss.item())
        return loss

    start = opt.step(closure)
    return start.item(), seen[-1], len(seen)


def main():
    torch.manual_seed(44)
    torch.set_num_threads(1)
    aquifers = [Aquifer("north", 0.8), Aquifer("delta", 1.3), Aquifer("karst", 0.5)]
    gps = {a.name: GP() for a in aquifers}
    grid = torch.rand(100, 2) * 4
    evals, timeline = 0, []
    for month in range(120):
        for aq in aquifers:
            aq.survey(6 if month else 25)
            gp = gps[aq.name]
            before, after, n = fit(gp, aq)
            evals += n
            rmse = (gp.predict(aq.x, aq.y, grid) - aq.level(grid)).square().mean().sqrt()
            timeline.append((month, aq.name, before, after, rmse.item()))
        if month % 30 == 0:
            for m, name, b, a, r in timeline[-3:]:
                print(f"month {m:3d} {name:6s} nll {b:8.2f} -> {a:8.2f} rmse {r:.3f}")
    print("evaluations", evals, {k: [round(v, 2) for v in g.log_len.exp().tolist()] for k, g in gps.items()})


if __name__ == "__main__":
    main()
