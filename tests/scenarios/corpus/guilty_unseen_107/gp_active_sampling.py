# gradwatch-corpus: kind=second-backward
# holder: self._factor | gp._factor | self._factor[1] | gp._factor[1]
# first-bad: 37
# notice: 0
"""Gaussian-process map of soil moisture, one probe reading at a time.

Every iteration buys one more reading far from the readings it has and takes a
gradient step on the marginal likelihood. When the budget is spent the hyperparameters are
refined on the readings at hand.
"""
import math

import torch


class SoilGP:
    def __init__(self):
        self.log_length = torch.tensor(math.log(0.5), requires_grad=True)
        self.log_scale = torch.tensor(0.0, requires_grad=True)
        self.log_noise = torch.tensor(math.log(0.2), requires_grad=True)
        self.x = torch.empty(0, 2)
        self.y = torch.empty(0)
        self._factor = None

    def parameters(self):
        return [self.log_length, self.log_scale, self.log_noise]

    def add(self, x, y):
        self.x = torch.cat([self.x, x[None]])
        self.y = torch.cat([self.y, y[None]])

    def kernel(self, a, b):
        sq = (a[:, None] - b[None]).square().sum(-1)
        return (2 * self.log_scale).exp() * torch.exp(-0.5 * sq * (-2 * self.log_length).exp())

    def factor(self):
        """Cholesky factor of the kernel matrix; cubic, so kept until there are new readings."""
        n = len(self.x)
        if self._factor is None or self._factor[0] != n:  # <- culprit
            K = self.kernel(self.x, self.x) + (2 * self.log_noise).exp() * torch.eye(n)
            self._factor = (n, torch.linalg.cholesky(K))  # <- culprit
        return self._factor[1]  # <- culprit

    def neg_log_marginal(self):
        L = self.factor()  # <- culprit
        alpha = torch.cholesky_solve(self.y[:, None], L).squeeze(1)
        return (0.5 * self.y @ alpha + L.diagonal().log().sum()) / len(self.y)

    @torch.no_grad()
    def variance(self, q):
        k = self.kernel(self.x, q)
        L = self.factor()
        v = torch.linalg.solve_triangular(L, k, upper=False)
        return (2 * self.log_scale).exp() - v.square().sum(0)


def moisture(p, gen):
    return torch.sin(3 * p[0]) * torch.cos(2 * p[1]) + 0.1 * torch.randn((), generator=gen)


def main(budget=40, iterations=160):
    torch.set_num_threads(1)
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    gp = SoilGP()
    for _ in range(3):
        p = torch.rand(2, generator=gen) * 2 - 1
        gp.add(p, moisture(p, gen))
    opt = torch.optim.Adam(gp.parameters(), lr=0.03)

    for it in range(iterations):
        if len(gp.x) < budget:
            grid = torch.rand(64, 2, generator=gen) * 2 - 1
            if it % 5 == 0 or gp._factor is None:
                best = torch.randint(64, (1,), generator=gen).item()
            else:
                nearest = (grid[:, None] - gp.x[None]).norm(dim=-1).min(1).values
                best = nearest.argmax().item()
            gp.add(grid[best], moisture(grid[best], gen))
        loss = gp.neg_log_marginal()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 10 == 0:
            length = gp.log_length.exp().item()
            print(f"{it:3d}  readings {len(gp.x):2d}  nlml {loss.item():+.3f}  length {length:.3f}")

    print("final sd at origin", gp.variance(torch.zeros(1, 2)).clamp(min=0).sqrt().item())


if __name__ == "__main__":
    main()
