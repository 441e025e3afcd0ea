# gradwatch-corpus: kind=second-backward
# holder: self.mixing | self.mixing.logits | flow.base.mixing | self.base.mixing | base.mixing
# first-bad: 1
# notice: 0
"""Affine density model for two-dimensional measurements over a learned mixture."""
import torch
import torch.nn as nn
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal

torch.set_num_threads(1)
torch.manual_seed(14)


class MixtureBase(nn.Module):
    def __init__(self, components=5, dim=2):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(components))
        self.means = nn.Parameter(torch.randn(components, dim))
        self.log_scales = nn.Parameter(torch.zeros(components, dim))
        self.mixing = Categorical(logits=self.logits)  # <- culprit

    def components(self):
        return Independent(Normal(self.means, self.log_scales.exp()), 1)

    def log_prob(self, z):
        return MixtureSameFamily(self.mixing, self.components()).log_prob(z)  # <- culprit


class AffineCoupling(nn.Module):
    def __init__(self, flip, width=24):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, x):
        a, b = x.unbind(dim=-1)
        if self.flip:
            a, b = b, a
        shift, log_scale = self.net(a.unsqueeze(-1)).unbind(dim=-1)
        log_scale = torch.tanh(log_scale)
        b = (b - shift) * torch.exp(-log_scale)
        pair = (b, a) if self.flip else (a, b)
        return torch.stack(pair, dim=-1), -log_scale


class Flow(nn.Module):
    def __init__(self, layers=4):
        super().__init__()
        self.base = MixtureBase()
        self.layers = nn.ModuleList(AffineCoupling(bool(i % 2)) for i in range(layers))

    def log_prob(self, x):
        log_det = torch.zeros(x.size(0))
        for layer in self.layers:
            x, delta = layer(x)
            log_det = log_det + delta
        return self.base.log_prob(x) + log_det


def moons(n):
    t = torch.rand(n) * torch.pi
    upper = torch.rand(n) < 0.5
    x = torch.where(upper, t.cos(), 1 - t.cos())
    y = torch.where(upper, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], dim=-1) + 0.05 * torch.randn(n, 2)


def main():
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    for step in range(80):
        nll = -flow.log_prob(moons(64)).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        if step % 20 == 19:
            print(f"step {step + 1} nll {nll.item():.4f}")


if __name__ == "__main__":
    main()
