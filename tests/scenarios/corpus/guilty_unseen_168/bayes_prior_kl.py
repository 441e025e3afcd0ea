# gradwatch-corpus: kind=second-backward
# holder: self.prior | net.prior | self.prior.scale | net.prior.scale
# first-bad: 26
"""Latent variable model with a trainable prior; the divergence is switched on after a warm-up."""
import torch
from torch import nn
from torch.distributions import Independent, Normal, kl_divergence

torch.set_num_threads(1)
torch.manual_seed(29)


class LatentModel(nn.Module):
    def __init__(self, dim=24, latent=6, width=32):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(dim, width), nn.ELU(), nn.Linear(width, 2 * latent))
        self.decode = nn.Sequential(nn.Linear(latent, width), nn.ELU(), nn.Linear(width, dim))
        self.prior_loc = nn.Parameter(torch.zeros(latent))
        self.prior_log_scale = nn.Parameter(torch.zeros(latent))
        self.prior = Independent(Normal(self.prior_loc, self.prior_log_scale.exp()), 1)  # <- culprit

    def posterior(self, x):
        loc, log_scale = self.encode(x).chunk(2, dim=-1)
        return Independent(Normal(loc, log_scale.clamp(-5, 2).exp()), 1)

    def forward(self, x):
        q = self.posterior(x)
        return q, self.decode(q.rsample())

    def divergence(self, q):
        return kl_divergence(q, self.prior).mean()  # <- culprit


class Objective:
    def __init__(self, net, begin, ramp, top=0.2):
        self.net = net
        self.begin, self.ramp, self.top = begin, ramp, top

    def weight(self, epoch):
        if epoch < self.begin:
            return 0.0
        return self.top * min(1.0, (epoch - self.begin + 1) / self.ramp)

    def __call__(self, x, epoch):
        q, back = self.net(x)
        fit = (back - x).pow(2).sum(-1).mean()
        weight = self.weight(epoch)
        if weight == 0.0:
            return fit
        return fit + weight * self.net.divergence(q)


def loader(gen, mix, batches=5, size=32):
    for _ in range(batches):
        z = torch.randn(size, mix.shape[0], generator=gen)
        yield torch.tanh(z @ mix) + 0.05 * torch.randn(size, mix.shape[1], generator=gen)


def main(epochs=20):
    gen = torch.Generator().manual_seed(14)
    mix = torch.randn(4, 24, generator=gen)
    net = LatentModel()
    objective = Objective(net, begin=5, ramp=6)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(epochs):
        total = 0.0
        for x in loader(gen, mix):
            loss = objective(x, epoch)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} objective {total / 5:.3f} weight {objective.weight(epoch):.2f}")


if __name__ == "__main__":
    main()
