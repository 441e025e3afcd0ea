# gradwatch-corpus: kind=none
"""Gaussian process hyperparameters by marginal likelihood, with a plot-resolution history."""
import math

import torch


class PlotHistory:
    """Curve with a limited number of points: when it is full, every second one goes."""

    def __init__(self, max_points=64):
        self.max_points = max_points
        self.stride = 1
        self.points = []

    def record(self, step, value):
        if step % self.stride:
            return
        self.points.append((step, value))
        if len(self.points) >= self.max_points:
            self.points = self.points[::2]
            self.stride *= 2

    def sparkline(self):
        values = [v.item() for _, v in self.points]
        lo, hi = min(values), max(values)
        blocks = " .:-=+*#%@"
        return "".join(blocks[int((v - lo) / (hi - lo + 1e-9) * 9)] for v in values[-40:])


class GP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_scale = torch.nn.Parameter(torch.tensor(0.0))
        self.log_length = torch.nn.Parameter(torch.tensor(0.0))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def kernel(self, a, b):
        d = (a[:, None] - b[None, :]) / self.log_length.exp()
        return self.log_scale.exp() * torch.exp(-0.5 * d ** 2)

    def neg_log_marginal(self, x, y):
        n = len(x)
        K = self.kernel(x, x) + (self.log_noise.exp() + 1e-4) * torch.eye(n)
        L = torch.linalg.cholesky(K)
        alpha = torch.cholesky_solve(y[:, None], L).squeeze(1)
        return 0.5 * y @ alpha + L.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)


def draw(gen, n=40):
    x = torch.rand(n, generator=gen) * 6
    return x, torch.sin(2 * x) + 0.3 * x + 0.1 * torch.randn(n, generator=gen)


def main():
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(19)
    x, y = draw(gen, 200)
    y = y - y.mean()
    gp = GP()
    opt = torch.optim.Adam(gp.parameters(), lr=0.02)
    history = PlotHistory()
    for step in range(480):
        idx = torch.randperm(len(x), generator=gen)[:40]
        nlml = gp.neg_log_marginal(x[idx], y[idx])
        opt.zero_grad()
        nlml.backward()
        opt.step()
        history.record(step, nlml)
        if step % 96 == 95:
            print(f"{step} nlml {nlml.item():.3f} length {gp.log_length.exp().item():.3f} |{history.sparkline()}|")


if __name__ == "__main__":
    main()
