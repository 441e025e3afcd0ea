# gradwatch-corpus: kind=second-backward
# holder: gauge.prior_penalty | self.prior_penalty | gauge
# first-bad: 41
"""Gaussian-process model of a tide gauge: a warm-up on the noise level only, then all hyperparameters with their priors."""
import functools
import math

import torch


class LogNormal:
    def __init__(self, mu, sd):
        self.mu, self.sd = mu, sd

    def nll(self, raw):
        return ((raw - self.mu) / self.sd).pow(2).sum() / 2


class TideGP(torch.nn.Module):
    PRIORS = {"raw_len": LogNormal(-1.0, 0.7), "raw_amp": LogNormal(0.0, 1.0), "raw_period": LogNormal(-0.7, 0.2)}

    def __init__(self):
        super().__init__()
        self.raw_len = torch.nn.Parameter(torch.tensor(-0.5))
        self.raw_amp = torch.nn.Parameter(torch.tensor(0.2))
        self.raw_period = torch.nn.Parameter(torch.tensor(-0.6))
        self.raw_noise = torch.nn.Parameter(torch.tensor(-1.0))

    @functools.cached_property  # <- culprit
    def prior_penalty(self):
        return sum(p.nll(getattr(self, name)) for name, p in self.PRIORS.items())  # <- culprit

    def cov(self, t):
        d = t[:, None] - t[None, :]
        per = torch.sin(math.pi * d / self.raw_period.exp()).pow(2)
        k = self.raw_amp.exp() * torch.exp(-2 * per / self.raw_len.exp().pow(2) - d.pow(2) / 8)
        return k + (self.raw_noise.exp().pow(2) + 1e-5) * torch.eye(len(t))

    def evidence(self, t, h):
        chol = torch.linalg.cholesky(self.cov(t))
        a = torch.cholesky_solve(h[:, None], chol).squeeze(-1)
        return 0.5 * h @ a + chol.diagonal().log().sum()


def tide(n, g):
    t = (torch.rand(n, generator=g) * 3).sort().values
    h = torch.sin(2 * math.pi * t / 0.52) + 0.4 * torch.sin(2 * math.pi * t / 0.26 + 1)
    return t, h + 0.15 * torch.randn(n, generator=g)


def phase(gauge, names, steps, draw, with_prior, start=0):
    picked = [p for n, p in gauge.named_parameters() if n in names]
    opt = torch.optim.Adam(picked, lr=0.02)
    for s in range(start, start + steps):
        t, h = draw()
        obj = gauge.evidence(t, h)
        if with_prior:
            obj = obj + gauge.prior_penalty
        opt.zero_grad()
        obj.backward()
        opt.step()
        if s % 20 == 0:
            print(f"step {s:3d} objective {obj.item():9.3f} noise {gauge.raw_noise.exp().item():.3f}")
    return start + steps


if __name__ == "__main__":
    gen = torch.Generator().manual_seed(6)
    torch.manual_seed(6)
    gauge = TideGP()
    draw = functools.partial(tide, 60, gen)
    done = phase(gauge, {"raw_noise"}, 40, draw, with_prior=False)
    phase(gauge, {"raw_noise", "raw_len", "raw_amp", "raw_period"}, 200, draw, with_prior=True, start=done)
    print({k: round(v.item(), 3) for k, v in gauge.named_parameters()})
