# gradwatch-corpus: kind=none
"""Exact GP over ocean profiles with a shared deep mean, fit by LBFGS inside an
outer loop over resampled stations."""
import math

import torch

torch.set_default_dtype(torch.float64)


def profiles(n_station, depths, gen):
    z = torch.linspace(0.0, 1.0, depths)
    lat = torch.rand(n_station, generator=gen) * 2.0 - 1.0
    thermo = 0.3 + 0.2 * lat[:, None]
    temp = 18.0 - 12.0 * torch.sigmoid((z[None] - thermo) / 0.08) + 3.0 * torch.cos(2.0 * lat[:, None])
    temp = temp + 0.3 * torch.randn(n_station, depths, generator=gen)
    x = torch.stack([lat[:, None].expand(-1, depths), z.expand(n_station, -1)], dim=-1)
    return x.reshape(-1, 2), (temp.reshape(-1) - 12.0) / 6.0


class Field:
    def __init__(self, hidden=12):
        self.w1 = (torch.randn(2, hidden)).requires_grad_()
        self.b1 = torch.zeros(hidden, requires_grad=True)
        self.w2 = (0.1 * torch.randn(hidden)).requires_grad_()
        self.log_ell = torch.tensor([-0.7, -1.0], requires_grad=True)
        self.log_amp = torch.tensor(-0.5, requires_grad=True)
        self.log_noise = torch.tensor(-2.0, requires_grad=True)

    def leaves(self):
        return [self.w1, self.b1, self.w2, self.log_ell, self.log_amp, self.log_noise]

    def mean(self, x):
        return torch.tanh(x @ self.w1 + self.b1) @ self.w2

    def gram(self, a, b):
        d = (a[:, None] - b[None]) * torch.exp(-self.log_ell)
        return torch.exp(2.0 * self.log_amp - 0.5 * (d ** 2).sum(-1))

    def nll(self, x, y):
        K = self.gram(x, x) + (torch.exp(2.0 * self.log_noise) + 1e-6) * torch.eye(len(y))
        chol = torch.linalg.cholesky(K)
        r = y - self.mean(x)
        w = torch.linalg.solve_triangular(chol, r[:, None], upper=False)
        return 0.5 * (w ** 2).sum() + torch.log(torch.diagonal(chol)).sum() + 0.5 * len(y) * math.log(2.0 * math.pi)

    def hyperprior(self):
        return 0.5 * (self.log_ell + 1.0).pow(2).sum() + 0.5 * self.log_amp ** 2 + 0.5 * (self.log_noise + 2.0) ** 2


def fit_window(field, opt, x, y, log):
    best = {"value": float("inf"), "leaves": None}

    def closure():
        opt.zero_grad()
        value = field.nll(x, y) / len(y) + 0.01 * field.hyperprior()
        value.backward()
        log.append(value.detach())
        if value.item() < best["value"]:
            best["value"] = value.item()
            best["leaves"] = [p.detach().clone() for p in field.leaves()]
        return value

    opt.step(closure)
    return best


def restore(field, snapshot):
    with torch.no_grad():
        for p, s in zip(field.leaves(), snapshot):
            p.copy_(s)


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(34)
    field = Field()
    for sweep in range(60):
        x, y = profiles(6, 10, gen)
        opt = torch.optim.LBFGS(field.leaves(), lr=0.3, max_iter=4, history_size=5)
        log = []
        best = fit_window(field, opt, x, y, log)
        restore(field, best["leaves"])
        if sweep % 10 == 0:
            curve = torch.stack(log)
            print(f"sweep {sweep:2d} nll {curve[0].item():+.3f} -> {best['value']:+.3f} noise {field.log_noise.exp().item():.3f}")


if __name__ == "__main__":
    main()
