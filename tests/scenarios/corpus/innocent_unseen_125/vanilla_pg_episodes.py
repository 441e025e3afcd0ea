# gradwatch-corpus: kind=none
import torch
from dataclasses import dataclass, field
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(44)


@dataclass
class Episode:
    logp: list = field(default_factory=list)
    ent: list = field(default_factory=list)
    rew: list = field(default_factory=list)

    def loss(self, baseline, gamma=0.98, beta=1e-3):
        ret, R = [], 0.0
        for r in reversed(self.rew):
            R = r + gamma * R
            ret.append(R)
        adv = torch.tensor(ret[::-1]) - baseline
        return -(torch.stack(self.logp) * adv).mean() - beta * torch.stack(self.ent).mean()


class GaussianPolicy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
        self.log_std = torch.nn.Parameter(torch.zeros(1))

    def forward(self, s):
        return Normal(self.mu(s), self.log_std.exp())


def cart(s, a, dt=0.1):
    x, v = s.tolist()
    v += dt * max(-2.0, min(2.0, a))
    x += dt * v
    return torch.tensor([x, v]), -(x * x + 0.1 * v * v)


pi = GaussianPolicy()
opt = torch.optim.Adam(pi.parameters(), 1e-2)
baseline = 0.0
for n in range(420):
    ep, s = Episode(), torch.randn(2)
    for t in range(10):
        d = pi(s)
        a = d.sample()
        ep.logp.append(d.log_prob(a).sum())
        ep.ent.append(d.entropy().sum())
        s, r = cart(s, a.item())
        ep.rew.append(r)
    loss = ep.loss(baseline)
    baseline = 0.9 * baseline + 0.1 * sum(ep.rew)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if n % 105 == 0:
        print(n, f"{sum(ep.rew):.2f}")
