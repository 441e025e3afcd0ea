# gradwatch-corpus: kind=none
"""Episodic actor-critic. Log-probs, values and entropies are kept until the episode's end."""
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn, Tensor
from torch.distributions import Categorical


@dataclass
class Episode:
    logp: List[Tensor] = field(default_factory=list)
    value: List[Tensor] = field(default_factory=list)
    entropy: List[Tensor] = field(default_factory=list)
    reward: List[float] = field(default_factory=list)


class AC(nn.Module):
    def __init__(self, n=4, a=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 24), nn.Tanh())
        self.pi, self.v = nn.Linear(24, a), nn.Linear(24, 1)

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Agent:
    def __init__(self):
        self.net = AC()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.episode = Episode()
        self.returns = []

    def act(self, s):
        d, v = self.net(s)
        a = d.sample()
        self.episode.logp.append(d.log_prob(a))
        self.episode.value.append(v)
        self.episode.entropy.append(d.entropy())
        return a.item()

    def finish(self, gamma=0.95):
        ep, self.episode = self.episode, Episode()
        R, G = 0.0, []
        for r in reversed(ep.reward):
            R = r + gamma * R
            G.append(R)
        G = torch.tensor(G[::-1])
        V = torch.stack(ep.value)
        adv = (G - V).detach()
        loss = -(torch.stack(ep.logp) * adv).mean() + 0.5 * (G - V).pow(2).mean() - 0.01 * torch.stack(ep.entropy).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.returns.append(sum(ep.reward))


torch.manual_seed(6)
agent = Agent()
for e in range(150):
    s = torch.randn(4)
    for t in range(4 + e // 15):
        a = agent.act(s)
        agent.episode.reward.append(float(a == int(s[:3].argmax())))
        s = 0.7 * s + torch.randn(4)
    agent.finish()
    if e % 30 == 29:
        print(e + 1, sum(agent.returns[-30:]) / 30)
