# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Mean-field Bayesian regression, KL annealing."""
import math
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class HP:
    iters: int = 400
    batch: int = 32
    kl_every: int = 10
    kl_warmup: int = 150
    prior_std: float = 1.0
    lr: float = 5e-3


class BayesLinear(nn.Module):
    def __init__(self, i, o, prior_std):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(o, i) / math.sqrt(i))
        self.rho = nn.Parameter(torch.full((o, i), -4.0))
        self.bias = nn.Parameter(torch.zeros(o))
        self.prior_std = prior_std

    def forward(self, x):
        sigma = F.softplus(self.rho)
        mean = F.linear(x, self.mu, self.bias)
        std = F.linear(x ** 2, sigma ** 2).clamp_min(1e-8).sqrt()
        return mean + std * torch.randn_like(mean)

    def kl(self):
        sigma = F.softplus(self.rho)
        ratio = (sigma ** 2 + self.mu ** 2) / self.prior_std ** 2
        return 0.5 * (ratio - 1 - torch.log(sigma ** 2 / self.prior_std ** 2)).sum()


class BNN(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.l1 = BayesLinear(1, 32, hp.prior_std)
        self.l2 = BayesLinear(32, 32, hp.prior_std)
        self.l3 = BayesLinear(32, 1, hp.prior_std)
        self.log_noise = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))

    def kl(self):
        return self.l1.kl() + self.l2.kl() + self.l3.kl()


class ELBO:
    def __init__(self, model, n_data, hp):
        self.model, self.n, self.hp = model, n_data, hp
        self._kl = None

    def __call__(self, x, y, it):
        if it % self.hp.kl_every == 0:
            self._kl = self.model.kl()  # <- culprit
        beta = min(1.0, (it + 1) / self.hp.kl_warmup)
        out = self.model(x).squeeze(-1)
        nll = F.gaussian_nll_loss(out, y, self.model.log_noise.exp().pow(2).expand_as(y))
        return nll + beta * self._kl / self.n, nll.item()


def main():
    torch.manual_seed(4)
    hp = HP()
    x = torch.rand(300, 1) * 4 - 2
    y = (torch.sin(3 * x) + 0.1 * torch.randn_like(x)).squeeze(-1)
    model = BNN(hp)
    elbo = ELBO(model, len(x), hp)
    opt = torch.optim.Adam(model.parameters(), lr=hp.lr)
    for it in range(hp.iters):
        idx = torch.randint(len(x), (hp.batch,))
        loss, nll = elbo(x[idx], y[idx], it)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(f"{it} elbo {-loss.item():.3f} nll {nll:.3f}")


if __name__ == "__main__":
    main()
