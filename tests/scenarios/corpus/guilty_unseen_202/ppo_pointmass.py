# gradwatch-corpus: kind=second-backward
# first-bad: 1
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Normal


@dataclass
class PPOArgs:
    num_envs: int = 8
    horizon: int = 12
    updates: int = 100
    epochs: int = 4
    gamma: float = 0.97
    lam: float = 0.9
    clip: float = 0.2
    vf_coef: float = 0.5
    ent_coef: float = 0.003
    lr: float = 1e-3


class PointMass:
    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.pos, self.vel = torch.randn(self.n, 2), torch.zeros(self.n, 2)
        return torch.cat([self.pos, self.vel], 1)

    def step(self, a):
        self.vel = 0.9 * self.vel + 0.1 * a.clamp(-1, 1)
        self.pos = self.pos + 0.2 * self.vel
        return torch.cat([self.pos, self.vel], 1), -self.pos.norm(dim=1)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
        self.critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.full((2,), -0.5))

    def dist(self, obs):
        return Normal(self.actor(obs), self.log_std.exp())

    def value(self, obs):
        return self.critic(obs).squeeze(-1)


def collect(env, agent, obs, args):
    buf = {k: [] for k in ("obs", "act", "logp", "rew", "val")}
    for _ in range(args.horizon):
        dist = agent.dist(obs)
        act = dist.sample()
        buf["obs"].append(obs)
        buf["act"].append(act)
        buf["logp"].append(dist.log_prob(act).sum(-1))  # <- culprit
        with torch.no_grad():
            buf["val"].append(agent.value(obs))
        obs, rew = env.step(act)
        buf["rew"].append(rew)
    with torch.no_grad():
        last = agent.value(obs)
    return {k: torch.stack(v) for k, v in buf.items()}, last, obs


def gae(rew, val, last, args):
    adv = torch.zeros_like(rew)
    run, nxt = torch.zeros_like(last), last
    for t in reversed(range(len(rew))):
        delta = rew[t] + args.gamma * nxt - val[t]
        run = delta + args.gamma * args.lam * run
        adv[t], nxt = run, val[t]
    return adv, adv + val


def update(agent, opt, batch, adv, ret, args):
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(args.epochs):
        dist = agent.dist(batch["obs"])
        logp = dist.log_prob(batch["act"]).sum(-1)
        ratio = torch.exp(logp - batch["logp"])
        clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
        pg = -torch.min(ratio * adv, clipped * adv).mean()
        vf = (agent.value(batch["obs"]) - ret).pow(2).mean()
        loss = pg + args.vf_coef * vf - args.ent_coef * dist.entropy().sum(-1).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        opt.step()
    return pg.item(), vf.item()


def main(args):
    torch.manual_seed(4)
    env, agent = PointMass(args.num_envs), ActorCritic()
    opt = torch.optim.Adam(agent.parameters(), lr=args.lr)
    obs = env.reset()
    for it in range(args.updates):
        if it % 5 == 0:
            obs = env.reset()
        batch, last, obs = collect(env, agent, obs, args)
        adv, ret = gae(batch["rew"], batch["val"], last, args)
        pg, vf = update(agent, opt, batch, adv, ret, args)
        if it % 10 == 0:
            print(f"update {it} reward {batch['rew'].mean().item():.3f} pg {pg:.4f} vf {vf:.4f}")


if __name__ == "__main__":
    main(PPOArgs())
