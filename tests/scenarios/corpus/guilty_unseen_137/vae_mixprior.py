# gradwatch-corpus: kind=second-backward
# holder: self.components | prior.components | model.prior.components | mu | model.prior.__dict__["components"]
# first-bad: 1
# notice: 0
from functools import cached_property

import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Independent, Normal

torch.set_num_threads(1)
torch.manual_seed(17)


class PseudoInputPrior(nn.Module):
    """VampPrior-like: a mixture over encodings of learned pseudo-inputs."""

    def __init__(self, encoder, n, dim):
        super().__init__()
        self.encoder = [encoder]
        self.pseudo = nn.Parameter(torch.randn(n, dim))

    @cached_property  # <- culprit
    def components(self):  # <- culprit
        return self.encoder[0](self.pseudo)  # <- culprit

    def log_prob(self, z):
        mu, logsig = self.components
        mix = Categorical(logits=torch.zeros(len(mu)))
        return MixtureSameFamily(mix, Independent(Normal(mu, logsig.exp()), 1)).log_prob(z)


class Encoder(nn.Module):
    def __init__(self, dim, lat):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, 20), nn.ELU(), nn.Linear(20, 2 * lat))

    def forward(self, x):
        mu, ls = self.f(x).chunk(2, -1)
        return mu, ls.clamp(-4, 2)


class SpectraVAE(nn.Module):
    def __init__(self, dim=12, lat=3):
        super().__init__()
        self.enc = Encoder(dim, lat)
        self.dec = nn.Sequential(nn.Linear(lat, 20), nn.ELU(), nn.Linear(20, dim))
        self.prior = PseudoInputPrior(self.enc, 6, dim)

    def neg_elbo(self, x):
        mu, ls = self.enc(x)
        q = Independent(Normal(mu, ls.exp()), 1)
        z = q.rsample()
        rec = (self.dec(z) - x).pow(2).sum(-1)
        return (rec + 0.1 * (q.log_prob(z) - self.prior.log_prob(z))).mean()


peaks = torch.randn(4, 12)
model = SpectraVAE()
opt = torch.optim.Adamax(model.parameters(), lr=3e-3)
for step in range(300):
    x = peaks[torch.randint(0, 4, (32,))] + 0.1 * torch.randn(32, 12)
    bound = model.neg_elbo(x)
    opt.zero_grad()
    bound.backward()
    opt.step()
    if step % 50 == 0:
        print(step, bound.item())
