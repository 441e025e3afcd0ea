# gradwatch-corpus: kind=none
"""A2C with GAE; each rollout keeps its graphs until the update."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Rollout:
    logps: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    entropies: list = field(default_factory=list)

    def clear(self):
        for f in (self.logps, self.values, self.rewards, self.entropies):
            f.clear()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 96), nn.ReLU())
        self.pi, self.v = nn.Linear(96, 4), nn.Linear(96, 1)

    def forward(self, o):
        h = self.body(o)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def gae(rewards, values, last, g=0.95, lam=0.9):
    adv, out = 0.0, []
    vals = [v.detach() for v in values] + [last]
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + g * vals[t + 1] - vals[t]
        adv = delta + g * lam * adv
        out.append(adv)
    return torch.stack(out[::-1])


torch.manual_seed(1)
net, ro = Net(), Rollout()
opt = torch.optim.RMSprop(net.parameters(), lr=7e-4)
obs = torch.randn(16, 8)
for update in range(160):
    horizon = 5 + update % 4
    for _ in range(horizon):
        dist, v = net(obs)
        a = dist.sample()
        ro.logps.append(dist.log_prob(a))
        ro.values.append(v)
        ro.entropies.append(dist.entropy())
        obs = 0.9 * obs + 0.1 * torch.randn(16, 8)
        obs[:, 0] += 0.05 * (a.float() - 1.5)
        ro.rewards.append(-obs[:, 0].abs())
    with torch.no_grad():
        last = net(obs)[1]
    adv = gae(ro.rewards, ro.values, last)
    values = torch.stack(ro.values)
    loss = -(torch.stack(ro.logps) * adv).mean() + 0.5 * (adv + values.detach() - values).pow(2).mean() - 0.01 * torch.stack(ro.entropies).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    ro.clear()
    if update % 40 == 0:
        print(update, loss.item())
