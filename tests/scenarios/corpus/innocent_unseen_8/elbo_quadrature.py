# gradwatch-corpus: kind=none
# about: no zero_grad in the loop and four backward calls per step: gradients are gathered on purpose, a step hook of the optimizer clears them
"""Variational fit of a latent growth curve (Preece-Baines) to height measurements, evidence gathered over four strata of children."""
import itertools
import math

import torch
from torch import distributions as D
from torch import nn


def growth(age, z):
    """Five parameters per child: adult height, height at take-off, age at take-off, early and late rate."""
    adult, ratio = 165 + 8 * z[..., 0:1], 0.92 + 0.01 * z[..., 1:2]
    spurt = 12.5 + 0.9 * z[..., 2:3]
    s0, s1 = 0.11 * torch.exp(0.1 * z[..., 3:4]), 1.1 * torch.exp(0.1 * z[..., 4:5])
    return adult - 2 * adult * (1 - ratio) / (torch.exp(s0 * (age - spurt)) + torch.exp(s1 * (age - spurt)))


class Recogniser(nn.Module):
    def __init__(self, visits, dim=5, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(visits, width), nn.Softplus(), nn.Linear(width, width), nn.Softplus(), nn.Linear(width, 2 * dim))
        self.log_noise = nn.Parameter(torch.tensor(1.0))

    def forward(self, h):
        loc, log_scale = self.body((h - 140) / 25).chunk(2, -1)
        return D.Independent(D.Normal(loc, log_scale.clamp(-5, 2).exp()), 1)


def evidence(net, age, height, samples=3):
    q = net(height)
    z = q.rsample((samples,))
    prior = D.Independent(D.Normal(torch.zeros(5), torch.ones(5)), 1)
    fit = D.Normal(growth(age, z), net.log_noise.exp()).log_prob(height).sum(-1)
    return (fit + prior.log_prob(z) - q.log_prob(z)).mean()


def strata(age, sizes=(40, 24, 24, 12)):
    for n in itertools.cycle(sizes):
        z = torch.randn(n, 5)
        yield n / sum(sizes), growth(age, z) + 1.2 * torch.randn(n, age.numel())


def main():
    torch.manual_seed(1978)
    age = torch.arange(6.0, 19.0)
    net = Recogniser(age.numel())
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    opt.register_step_post_hook(lambda o, args, kwargs: o.zero_grad())
    feed = strata(age)
    running = None
    for sweep in range(300):
        total = torch.zeros(())
        for share, height in itertools.islice(feed, 4):
            part = -share * evidence(net, age, height)
            part.backward()
            total += part.detach()
        opt.step()
        running = total if running is None else 0.95 * running + 0.05 * total
        if sweep % 60 == 0:
            print(f"sweep {sweep:3d} -elbo {total.item():.2f} smoothed {running.item():.2f} noise {math.exp(net.log_noise.item()):.2f}")


if __name__ == "__main__":
    main()
