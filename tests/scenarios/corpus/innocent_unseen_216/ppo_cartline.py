# gradwatch-corpus: kind=none
"""PPO (clipped) on a vectorised 1-d cart, everything in one file, cleanrl flavour."""
import random
import time
from collections import deque
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Normal


@dataclass
class Args:
    seed: int = 1
    num_envs: int = 16
    num_steps: int = 16
    total_updates: int = 20
    epochs: int = 3
    minibatches: int = 2
    gamma: float = 0.98
    lam: float = 0.95
    clip: float = 0.2
    vf_coef: float = 0.5
    ent_coef: float = 0.003
    target_kl: float = 0.05
    lr: float = 2e-3


class VecCart:
    def __init__(self, n):
        self.n = n
        self.x = torch.randn(n)
        self.v = torch.zeros(n)
        self.t = torch.randint(0, 60, (n,))
        self.ret = torch.zeros(n)
        self.finished = deque(maxlen=50)

    def obs(self):
        return torch.stack([self.x, self.v], -1)

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a.squeeze(-1).clamp(-2, 2)
        self.x = self.x + self.v
        r = -self.x.abs() - 0.01 * a.squeeze(-1).pow(2)
        self.ret += r
        self.t += 1
        done = self.t >= 60
        for i in torch.nonzero(done).flatten().tolist():
            self.finished.append(self.ret[i].item())
        self.ret[done] = 0
        self.t[done] = 0
        self.x[done] = torch.randn(int(done.sum()))
        self.v[done] = 0
        return self.obs(), r, done.float()


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.mean = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.logstd = nn.Parameter(torch.zeros(1, 1))

    def get_value(self, x):
        return self.critic(x).squeeze(-1)

    def evaluate(self, x, a=None):
        m = self.mean(x)
        dist = Normal(m, self.logstd.expand_as(m).exp())
        if a is None:
            a = dist.sample()
        return a, dist.log_prob(a).sum(-1), dist.entropy().sum(-1), self.get_value(x)


if __name__ == "__main__":
    args = Args()
    random.seed(args.seed), np.random.seed(args.seed), torch.manual_seed(args.seed)
    envs, agent = VecCart(args.num_envs), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=args.lr, eps=1e-5)
    T, N = args.num_steps, args.num_envs
    obs = torch.zeros(T, N, 2)
    actions = torch.zeros(T, N, 1)
    logprobs, rewards, dones, values = (torch.zeros(T, N) for _ in range(4))
    next_obs, next_done = envs.obs(), torch.zeros(N)
    start = time.time()

    for update in range(args.total_updates):
        for t in range(T):
            obs[t], dones[t] = next_obs, next_done
            with torch.no_grad():
                a, lp, _, v = agent.evaluate(next_obs)
            actions[t], logprobs[t], values[t] = a, lp, v
            next_obs, rewards[t], next_done = envs.step(a)

        with torch.no_grad():
            adv = torch.zeros_like(rewards)
            last = torch.zeros(N)
            next_v = agent.get_value(next_obs)
            for t in reversed(range(T)):
                nonterm = 1.0 - (next_done if t == T - 1 else dones[t + 1])
                nv = next_v if t == T - 1 else values[t + 1]
                delta = rewards[t] + args.gamma * nv * nonterm - values[t]
                adv[t] = last = delta + args.gamma * args.lam * nonterm * last
            ret = adv + values

        b = [v.flatten(0, 1) for v in (obs, actions, logprobs, adv, ret)]
        stop = False
        for _ in range(args.epochs):
            for mb in torch.randperm(T * N).chunk(args.minibatches):
                o, a, old, ad, rt = (v[mb] for v in b)
                _, lp, ent, v = agent.evaluate(o, a)
                ratio = (lp - old).exp()
                ad = (ad - ad.mean()) / (ad.std() + 1e-8)
                pg = torch.max(-ad * ratio, -ad * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
                loss = pg + args.vf_coef * (v - rt).pow(2).mean() - args.ent_coef * ent.mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                opt.step()
                approx_kl = (old - lp).mean().item()
            if approx_kl > args.target_kl:
                break
        if update % 5 == 0:
            print(f"update {update} return {np.mean(envs.finished) if envs.finished else float('nan'):.2f} kl {approx_kl:.4f}")
