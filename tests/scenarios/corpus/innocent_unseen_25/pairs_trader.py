# gradwatch-corpus: kind=none
# after: pytorch/examples reinforcement_learning/actor_critic.py (saved_log_probs until finish_episode), critic updated online
"""Pairs trading on an Ornstein-Uhlenbeck spread.

The value net learns at every tick, the policy only after `horizon` ticks: until then the log-probs
of the open segment wait, with their graphs, in `Segment`. The policy's weights do not move meanwhile.
"""
from dataclasses import dataclass, field
from typing import List
import torch
from torch import nn, Tensor
from torch.distributions import Categorical


@dataclass
class Segment:
    log_probs: List[Tensor] = field(default_factory=list)
    entropies: List[Tensor] = field(default_factory=list)
    advantages: List[float] = field(default_factory=list)

    def __len__(self):
        return len(self.log_probs)

    def drain(self):
        lp, en, ad = torch.stack(self.log_probs), torch.stack(self.entropies), torch.tensor(self.advantages)
        self.log_probs.clear(); self.entropies.clear(); self.advantages.clear()
        return lp, en, ad


class Market:
    def __init__(self, seed=12):
        self.g = torch.Generator().manual_seed(seed)
        self.x, self.pos = torch.zeros(()), 0

    def observe(self):
        return torch.stack([self.x, self.x.abs(), torch.tensor(float(self.pos))])

    def trade(self, action):
        old, cost = self.x, 0.01 * abs((action - 1) - self.pos)
        self.pos = action - 1
        self.x = 0.9 * self.x + 0.3 * torch.randn((), generator=self.g)
        return self.pos * float(self.x - old) - cost


def net(out):
    return nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, out))


def main(ticks=320, horizon=8, gamma=0.9):
    torch.manual_seed(0)
    policy, value, market, seg = net(3), net(1), Market(), Segment()
    p_opt = torch.optim.Adam(policy.parameters(), 3e-3)
    v_opt = torch.optim.Adam(value.parameters(), 1e-2)
    pnl = []
    obs = market.observe()
    for t in range(ticks):
        dist = Categorical(logits=policy(obs))
        a = dist.sample()
        r = market.trade(int(a))
        nxt = market.observe()
        v = value(obs).squeeze()
        with torch.no_grad():
            target = r + gamma * value(nxt).squeeze()
        td = target - v
        v_opt.zero_grad()
        td.square().backward()
        v_opt.step()
        seg.log_probs.append(dist.log_prob(a))
        seg.entropies.append(dist.entropy())
        seg.advantages.append(td.item())
        if len(seg) == horizon:
            lp, en, ad = seg.drain()
            p_opt.zero_grad()
            (-(lp * ad).mean() - 0.01 * en.mean()).backward()
            p_opt.step()
        pnl.append(r)
        obs = nxt
    print("pnl first half", sum(pnl[: ticks // 2]), "second half", sum(pnl[ticks // 2:]))


main()
