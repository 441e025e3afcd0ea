# gradwatch-corpus: kind=second-backward
# holder: self.u | layer.u | critic.net[0].u | self._buffers["u"] | test.critic.net[4].u
# first-bad: 1
"""1-Lipschitz critic for a two-sample test: home-made spectral normalisation."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class SNLinear(nn.Module):
    """Linear layer divided by its largest singular value (power iteration)."""

    def __init__(self, n_in, n_out, n_power=1, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.orthogonal_(self.weight)
        self.n_power, self.eps = n_power, eps
        self.register_buffer("u", F.normalize(torch.randn(n_out), dim=0))

    def sigma(self):
        u = self.u
        for _ in range(self.n_power):
            v = F.normalize(torch.mv(self.weight.t(), u), dim=0, eps=self.eps)  # <- culprit
            u = F.normalize(torch.mv(self.weight, v), dim=0, eps=self.eps)  # <- culprit
        if self.training:
            self.u = u  # <- culprit
        return torch.dot(u, torch.mv(self.weight, v))

    def forward(self, x):
        return F.linear(x, self.weight / self.sigma(), self.bias)


class Critic(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.net = nn.Sequential(SNLinear(dim, width), nn.LeakyReLU(0.2),
                                 SNLinear(width, width), nn.LeakyReLU(0.2), SNLinear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def two_samples(n, dim, shift, gen):
    p = torch.randn(n, dim, generator=gen)
    q = torch.randn(n, dim, generator=gen)
    q[:, 0] += shift
    return p, q


class WassersteinTest:
    def __init__(self, dim, width=32, lr=1e-3):
        self.critic = Critic(dim, width)
        self.opt = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.0, 0.9))
        self.curve = []

    def fit_batch(self, p, q):
        self.critic.train()
        gap = self.critic(torch.cat([p, q]))
        gap = gap[:len(p)].mean() - gap[len(p):].mean()
        self.opt.zero_grad()
        (-gap).backward()
        self.opt.step()
        self.curve.append(gap.item())

    @torch.no_grad()
    def statistic(self, p, q):
        self.critic.eval()
        return (self.critic(p).mean() - self.critic(q).mean()).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=8)
    ap.add_argument("--iters", type=int, default=150)
    ap.add_argument("--shift", type=float, default=0.8)
    ap.add_argument("--bs", type=int, default=64)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(9)
    test = WassersteinTest(args.dim)
    held = two_samples(512, args.dim, args.shift, gen)
    print("before", round(test.statistic(*held), 4))
    for it in range(args.iters):
        test.fit_batch(*two_samples(args.bs, args.dim, args.shift, gen))
        if it % 25 == 0:
            print(f"it {it} gap {test.curve[-1]:.4f} held-out {test.statistic(*held):.4f}")
    with tempfile.TemporaryDirectory() as d:
        torch.save(test.critic.state_dict(), os.path.join(d, "critic.pt"))
    print("after", round(test.statistic(*held), 4))


if __name__ == "__main__":
    main()
