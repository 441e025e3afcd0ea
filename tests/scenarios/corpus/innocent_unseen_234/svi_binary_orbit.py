# gradwatch-corpus: kind=none
"""Stochastic variational inference of a visual binary's orbit."""
from collections import deque
from dataclasses import dataclass, field

import torch
from torch.distributions import LowRankMultivariateNormal, MultivariateNormal

DIM = 5


@dataclass
class Track:
    elbo: list = field(default_factory=list)
    smooth: float = float("nan")
    posterior: deque = field(default_factory=lambda: deque(maxlen=32))
    best: float = -float("inf")
    best_state: dict = field(default_factory=dict)

    def push(self, elbo, theta, guide):
        value = elbo.item()
        self.elbo.append(value)
        self.smooth = value if self.smooth != self.smooth else 0.95 * self.smooth + 0.05 * value
        self.posterior.append(theta.detach())
        if self.smooth > self.best:
            self.best = self.smooth
            self.best_state = {k: v.detach().clone() for k, v in guide.state_dict().items()}


def kepler(mean_anomaly, ecc, rounds=6):
    big_e = mean_anomaly
    for _ in range(rounds):
        f = big_e - ecc * torch.sin(big_e) - mean_anomaly
        big_e = big_e - f / (1.0 - ecc * torch.cos(big_e))
    return big_e


def positions(theta, years):
    axis = torch.exp(theta[:, 0:1])
    ecc = 0.9 * torch.sigmoid(theta[:, 1:2])
    period = 20.0 * torch.exp(0.1 * theta[:, 2:3])
    phase = theta[:, 3:4]
    rot = theta[:, 4:5]
    e = kepler(2 * torch.pi * years / period + phase, ecc)
    x = axis * (torch.cos(e) - ecc)
    y = axis * torch.sqrt(1.0 - ecc ** 2) * torch.sin(e)
    c = torch.cos(rot)
    s = torch.sin(rot)
    return torch.stack([c * x - s * y, s * x + c * y], dim=-1)


class Guide(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.loc = torch.nn.Parameter(torch.zeros(DIM))
        self.factor = torch.nn.Parameter(0.02 * torch.randn(DIM, 2))
        self.log_diag = torch.nn.Parameter(torch.full((DIM,), -5.0))

    def distribution(self):
        return LowRankMultivariateNormal(self.loc, self.factor, self.log_diag.exp())


def main():
    torch.manual_seed(8)
    years = torch.linspace(0.0, 16.0, 40)
    truth = torch.tensor([[0.2, -0.5, 0.3, 0.4, 0.6]])
    sky = positions(truth, years)[0] + 0.03 * torch.randn(40, 2)
    guide = Guide()
    prior = MultivariateNormal(torch.zeros(DIM), torch.eye(DIM))
    opt = torch.optim.Adam(guide.parameters(), lr=0.02)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.99)
    track = Track()
    for it in range(180):
        q = guide.distribution()
        theta = q.rsample((12,))
        resid = (positions(theta, years) - sky) / 0.03
        loglik = -0.5 * resid.square().sum(dim=(1, 2))
        elbo = (loglik + prior.log_prob(theta) - q.log_prob(theta)).mean()
        opt.zero_grad()
        (-elbo / 80.0).backward()
        opt.step()
        sched.step()
        track.push(elbo, theta, guide)
        if it % 60 == 0:
            print(f"{it:4d} smooth elbo {track.smooth:.1f}")
    guide.load_state_dict(track.best_state)
    cloud = torch.cat(list(track.posterior))
    print("mean", [round(v, 2) for v in cloud.mean(dim=0).tolist()])
    print("sd  ", [round(v, 3) for v in cloud.std(dim=0).tolist()])


if __name__ == "__main__":
    main()
