# gradwatch-corpus: kind=none
"""Actor-critic on a home-made cart-pole, one update per episode."""
import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


class CartPole:
    def reset(self):
        self.s = (torch.rand(4) * 0.1 - 0.05).tolist()
        self.t = 0
        return torch.tensor(self.s)

    def step(self, a):
        x, v, th, w = self.s
        f = 10.0 if a else -10.0
        tmp = (f + 0.05 * w * w * math.sin(th)) / 1.1
        acc = (9.8 * math.sin(th) - math.cos(th) * tmp) / (0.5 * (4 / 3 - 0.1 * math.cos(th) ** 2 / 1.1))
        self.s = [x + 0.02 * v, v + 0.02 * (tmp - 0.05 * acc * math.cos(th) / 1.1), th + 0.02 * w, w + 0.02 * acc]
        self.t += 1
        over = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21 or self.t >= 120
        return torch.tensor(self.s), 1.0, over


@dataclass
class Episode:
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    entropy: list = field(default_factory=list)
    reward: list = field(default_factory=list)

    def add(self, logp, value, entropy, reward):
        self.logp.append(logp)
        self.value.append(value)
        self.entropy.append(entropy)
        self.reward.append(reward)

    def tensors(self):
        return torch.stack(self.logp), torch.cat(self.value), torch.stack(self.entropy)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 48), nn.Tanh())
        self.pi, self.v = nn.Linear(48, 2), nn.Linear(48, 1)

    def forward(self, o):
        h = self.body(o)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h)


class A2C:
    def __init__(self, gamma=0.97):
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.gamma = gamma
        self.episode = Episode()
        self.scores = []
        self.last_terms = {}

    def play(self, env):
        o, over = env.reset(), False
        while not over:
            dist, v = self.net(o)
            a = dist.sample()
            o, r, over = env.step(a.item())
            self.episode.add(dist.log_prob(a), v, dist.entropy(), r)

    def learn(self):
        ep, g, ret = self.episode, 0.0, []
        for r in reversed(ep.reward):
            g = r + self.gamma * g
            ret.append(g)
        ret = torch.tensor(ret[::-1]) / 20.0
        logp, value, ent = ep.tensors()
        adv = ret - value.detach()
        terms = {"pi": -(logp * adv).sum(), "v": F.smooth_l1_loss(value, ret, reduction="sum"), "ent": -0.01 * ent.sum()}
        self.opt.zero_grad()
        sum(terms.values()).backward()
        self.opt.step()
        self.last_terms = {k: t.item() for k, t in terms.items()}
        self.scores.append(len(ep.reward))
        self.episode = Episode()


def main(n=90):
    torch.manual_seed(15)
    env, agent = CartPole(), A2C()
    for i in range(n):
        agent.play(env)
        agent.learn()
        if i % 30 == 29:
            print(i + 1, "mean length", sum(agent.scores[-30:]) / 30, {k: round(v, 2) for k, v in agent.last_terms.items()})


main()
