# gradwatch-corpus: kind=none
"""
Heads-up push/fold with PPO. Shared trunk; policy and value losses are backpropagated separately,
old log-probs live in a rollout which is thrown away after each round. League of past selves.
"""
import copy
import random

import torch
import torch.nn as nn
from torch.distributions import Bernoulli

torch.set_num_threads(1)
torch.manual_seed(10)
random.seed(10)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 24), nn.Tanh())
        self.actor = nn.Linear(24, 1)
        self.critic = nn.Linear(24, 1)
        self.register_buffer("ret_mean", torch.zeros(()))
        self.register_buffer("ret_var", torch.ones(()))

    def forward(self, s):
        h = self.trunk(s)
        return Bernoulli(logits=self.actor(h).squeeze(-1)), self.critic(h).squeeze(-1)

    def track(self, returns):
        self.ret_mean = 0.95 * self.ret_mean + 0.05 * returns.mean()
        self.ret_var = 0.95 * self.ret_var + 0.05 * returns.var()


class League:
    def __init__(self, size=6):
        self.size = size
        self.members = []

    def add(self, policy):
        self.members.append(copy.deepcopy(policy).eval())
        if len(self.members) > self.size:
            self.members.pop(random.randrange(self.size))

    def pick(self):
        return random.choice(self.members)


def deal(n):
    cards = torch.rand(n, 2)
    stack = torch.randint(2, 15, (n,)).float() / 15
    return cards, stack


def showdown(cards):
    p = torch.sigmoid(6 * (cards[:, 0] - cards[:, 1]))
    return (torch.rand_like(p) < p).float() * 2 - 1


class Rollout:
    def __init__(self):
        self.rows = []

    def add(self, **kw):
        self.rows.append(kw)

    def cat(self, key):
        return torch.cat([r[key] for r in self.rows])


def collect(policy, rival, hands=24, chunks=3):
    ro = Rollout()
    for _ in range(chunks):
        cards, stack = deal(hands)
        s = torch.stack([cards[:, 0], stack, torch.zeros(hands)], 1)
        dist, value = policy(s)
        push = dist.sample()
        with torch.no_grad():
            call = rival(torch.stack([cards[:, 1], stack, torch.ones(hands)], 1))[0].sample()
        win = showdown(cards)
        r = torch.where(push == 1, torch.where(call == 1, win * stack * 5, torch.tensor(0.5)), torch.tensor(-0.5))
        ro.add(s=s, a=push, logp=dist.log_prob(push), v=value, r=r)
    return ro


policy = Policy()
league = League()
league.add(policy)
opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
stats = {"pi": [], "v": [], "ratio": [], "profit": []}

for rnd in range(100):
    ro = collect(policy, league.pick())
    s, a, r = ro.cat("s"), ro.cat("a"), ro.cat("r")
    old_logp = ro.cat("logp").detach()
    adv = r - ro.cat("v").detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    policy.track(r)
    for _ in range(4):
        dist, v = policy(s)
        ratio = (dist.log_prob(a) - old_logp).exp()
        loss_pi = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() - 0.01 * dist.entropy().mean()
        loss_v = 0.5 * (v * policy.ret_var.sqrt() + policy.ret_mean - r).pow(2).mean()
        opt.zero_grad()
        loss_pi.backward(retain_graph=True)
        loss_v.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        opt.step()
        stats["pi"].append(loss_pi.detach())
        stats["v"].append(loss_v.detach())
        stats["ratio"].append(ratio.detach().max())
    stats["profit"].append(r.mean())
    if rnd % 10 == 9:
        league.add(policy)
    if rnd % 20 == 19:
        print(f"round {rnd + 1:3d} " + " ".join(f"{k} {torch.stack(v[-40:]).mean().item():+.3f}" for k, v in stats.items())
              + f" league {len(league.members)}")
