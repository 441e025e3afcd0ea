# gradwatch-corpus: kind=crashed
# first-bad: 180
# notice: 0
"""Policy search through a known, differentiable plant."""
import torch
from torch import nn
from torch.distributions import Independent, Normal, TransformedDistribution
from torch.distributions.transforms import AffineTransform, TanhTransform

torch.set_num_threads(1)
torch.manual_seed(6)
DT = 0.08


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, s):
        mu, raw = self.net(s).chunk(2, -1)
        base = Independent(Normal(mu, nn.functional.softplus(raw) + 0.05), 1)
        return TransformedDistribution(base, [TanhTransform(), AffineTransform(0.0, 2.0)])


class Actors:
    """How an action is taken from the policy's distribution, by curriculum level."""

    def __init__(self, votes=8):
        self.votes = votes
        self.levels = {"noisy": self.single, "steady": self.averaged}

    def single(self, dist):
        return dist.rsample()

    def averaged(self, dist):
        return dist.sample((self.votes,)).mean(0)  # <- culprit

    def __getitem__(self, level):
        return self.levels[level]


def plant(s, u):
    x, v, th, om = s.unbind(-1)
    f = u.squeeze(-1)
    acc = f - 0.1 * v
    alpha = 3.0 * torch.sin(th) - 1.5 * acc * torch.cos(th) - 0.1 * om
    return torch.stack([x + DT * v, v + DT * acc, th + DT * om, om + DT * alpha], -1)


def rollout_cost(policy, act, horizon, n=16):
    s = torch.randn(n, 4) * 0.2
    cost = 0.0
    for _ in range(horizon):
        s = plant(s, act(policy(s)))
        cost = cost + (s * s * torch.tensor([0.2, 0.05, 2.0, 0.1])).sum(-1).mean()
    return cost / horizon


def train():
    policy, actors = Policy(), Actors()
    opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
    level, good = "noisy", 0
    for it in range(800):
        cost = rollout_cost(policy, actors[level], horizon=10)
        opt.zero_grad()
        cost.backward()
        nn.utils.clip_grad_value_(policy.parameters(), 5.0)
        opt.step()
        good = good + 1 if cost.item() < 0.09 else 0
        if level == "noisy" and (good >= 4 or it == 400):
            level = "steady"
            print("steady from", it)
        if it % 50 == 0:
            print(it, level, cost.item())


train()
