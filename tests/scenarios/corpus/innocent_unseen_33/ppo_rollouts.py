# gradwatch-corpus: kind=none
"""PPO on a noisy tracking task; rollouts are reused for several epochs."""
from dataclasses import dataclass, fields

import torch
import torch.nn as nn
from torch.distributions import Normal


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    ret: torch.Tensor
    adv: torch.Tensor

    def minibatches(self, size):
        flat = {f.name: getattr(self, f.name).flatten(0, 1) for f in fields(self)}
        for idx in torch.randperm(len(flat["obs"])).split(size):
            yield {k: v[idx] for k, v in flat.items()}


class Tracking:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos, self.goal = torch.zeros(self.n, 1), 2 * torch.randn(self.n, 1)
        return torch.cat([self.pos, self.goal], -1)

    def step(self, a):
        self.pos = self.pos + 0.5 * a.clamp(-1, 1)
        self.goal = self.goal + 0.1 * torch.randn(self.n, 1)
        return torch.cat([self.pos, self.goal], -1), -(self.pos - self.goal).abs().squeeze(-1)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.vf = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def policy(self, obs):
        return Normal(self.mu(obs).squeeze(-1), self.log_std.exp())

    def value(self, obs):
        return self.vf(obs).squeeze(-1)


@torch.no_grad()
def collect(env, ac, steps=12, gamma=0.95):
    obs, store = env.reset(), []
    for _ in range(steps):
        dist = ac.policy(obs)
        a = dist.sample()
        nxt, r = env.step(a.unsqueeze(-1))
        store.append((obs, a, dist.log_prob(a), r, ac.value(obs)))
        obs = nxt
    ret, rets = ac.value(obs), []
    for *_, r, _v in reversed(store):
        ret = r + gamma * ret
        rets.append(ret)
    o, a, lp, r, v = (torch.stack(c) for c in zip(*store))
    rets = torch.stack(rets[::-1])
    adv = rets - v
    return Rollout(o, a, lp, rets, (adv - adv.mean()) / (adv.std() + 1e-6)), r.mean().item()


def update(ac, opt, rollout, epochs=3, clip=0.2):
    for _ in range(epochs):
        for mb in rollout.minibatches(64):
            dist = ac.policy(mb["obs"])
            ratio = (dist.log_prob(mb["act"]) - mb["logp"]).exp()
            gain = torch.min(ratio * mb["adv"], ratio.clamp(1 - clip, 1 + clip) * mb["adv"]).mean()
            loss = -gain + 0.5 * (ac.value(mb["obs"]) - mb["ret"]).pow(2).mean() - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    env, ac = Tracking(16), ActorCritic()
    opt = torch.optim.Adam(ac.parameters(), lr=3e-3)
    kept = []
    for it in range(12):
        rollout, reward = collect(env, ac)
        kept = (kept + [rollout])[-2:]
        for old in kept:
            update(ac, opt, old)
        if it % 3 == 0:
            print(f"iter {it:2d} reward {reward:.3f} std {ac.log_std.exp().item():.3f}")
