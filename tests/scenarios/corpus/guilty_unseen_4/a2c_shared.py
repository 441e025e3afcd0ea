# gradwatch-corpus: kind=inplace-modified
# first-bad: 61
# also: graph-unused
"""Advantage actor-critic for a traffic light; separate optimisers for the two heads of a common trunk."""
import torch
from torch import nn
from torch.distributions import Categorical


class Junction:
    def __init__(self, lanes=16, seed=2):
        self.g = torch.Generator().manual_seed(seed)
        self.q = torch.zeros(lanes, 4)

    def tick(self, phase):
        self.q += torch.poisson(torch.tensor([0.5, 0.3, 0.4, 0.2]).expand_as(self.q), generator=self.g)
        served = torch.zeros_like(self.q).scatter_(1, phase[:, None], 2.0)
        served.scatter_(1, ((phase + 2) % 4)[:, None], 1.0)
        self.q = (self.q - served).clamp(0, 15)
        return self.q / 15, -self.q.sum(1) / 15


class Signal(nn.Module):
    def __init__(self, h=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.pi, self.v = nn.Linear(h, 4), nn.Linear(h, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


class Controller:
    def __init__(self, warmup=60):
        self.sig = Signal()
        self.opt_v = torch.optim.Adam([*self.sig.trunk.parameters(), *self.sig.v.parameters()], lr=2e-3)
        self.opt_pi = torch.optim.Adam(self.sig.pi.parameters(), lr=2e-3)
        self.warmup, self.n = warmup, 0

    def learn(self, dist, val, act, ret):
        adv = ret - val
        critic = adv.square().mean()
        actor = -(dist.log_prob(act) * adv.detach()).mean() - 0.01 * dist.entropy().mean()
        self.opt_v.zero_grad()
        self.opt_pi.zero_grad()
        critic.backward(retain_graph=self.n >= self.warmup)
        self.opt_v.step()  # <- culprit
        if self.n >= self.warmup:
            actor.backward()
            self.opt_pi.step()
        self.n += 1
        return critic.item()


def main():
    torch.manual_seed(2)
    road, ctl = Junction(), Controller()
    obs, _ = road.tick(torch.zeros(16, dtype=torch.long))
    for it in range(300):
        dist, val = ctl.sig(obs)
        act = dist.sample()
        obs, rew = road.tick(act)
        with torch.no_grad():
            ret = rew + 0.9 * ctl.sig(obs)[1]
        c = ctl.learn(dist, val, act, ret)
        if it % 20 == 0:
            print(f"{it:4d} reward {rew.mean().item():.3f} critic {c:.4f}")


if __name__ == "__main__":
    main()
