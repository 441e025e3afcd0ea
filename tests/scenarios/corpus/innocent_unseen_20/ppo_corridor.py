# gradwatch-corpus: kind=none
"""PPO on a windy corridor, one file, no framework. One iteration of the outer loop = one rollout and two minibatch
updates over it."""
import itertools
from collections import deque
from dataclasses import dataclass, fields

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(8)


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    val: torch.Tensor
    adv: torch.Tensor
    ret: torch.Tensor

    def minibatches(self, size):
        for ix in torch.randperm(len(self.obs)).split(size):
            yield Rollout(*(getattr(self, f.name)[ix] for f in fields(self)))


class Corridor:
    """walk to the right end of a line; the wind pushes left"""

    def __init__(self, n, length=6):
        self.n, self.length = n, length
        self.pos = torch.zeros(n)
        self.age = torch.zeros(n)

    def observe(self):
        return torch.stack([self.pos / self.length, self.age / 40, torch.ones(self.n)], 1)

    def step(self, act):
        wind = (torch.rand(self.n) < 0.25).float()
        self.pos = (self.pos + (act.float() * 2 - 1) - wind).clamp(min=0)
        self.age = self.age + 1
        won = self.pos >= self.length
        done = won | (self.age >= 40)
        reward = won.float() - 0.01
        self.pos = torch.where(done, torch.zeros_like(self.pos), self.pos)
        self.age = torch.where(done, torch.zeros_like(self.age), self.age)
        return self.observe(), reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 32), nn.Tanh())
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


@torch.no_grad()
def collect(env, model, steps, gamma=0.98, lam=0.9):
    trace = []
    obs = env.observe()
    for _ in range(steps):
        dist, val = model(obs)
        act = dist.sample()
        nxt, rew, done = env.step(act)
        trace.append((obs, act, dist.log_prob(act), val, rew, done))
        obs = nxt
    _, last = model(obs)
    o, a, lp, v, r, d = map(torch.stack, zip(*trace))
    adv = torch.zeros_like(r)
    running = torch.zeros(env.n)
    for t in reversed(range(steps)):
        follow = v[t + 1] if t + 1 < steps else last
        running = r[t] + gamma * follow * (1 - d[t]) - v[t] + gamma * lam * (1 - d[t]) * running
        adv[t] = running
    flat = [x.flatten(0, 1) for x in (o, a, lp, v, adv, adv + v)]
    return Rollout(*flat), r.sum().item() / max(1.0, d.sum().item())


def ppo_loss(model, mb, clip=0.2):
    dist, val = model(mb.obs)
    ratio = (dist.log_prob(mb.act) - mb.logp).exp()
    adv = (mb.adv - mb.adv.mean()) / (mb.adv.std() + 1e-6)
    policy = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
    value = (val - mb.ret).square().mean()
    return policy, value, dist.entropy().mean()


def main(iterations=200):
    env, model = Corridor(16), ActorCritic()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    rollouts = deque(maxlen=3)          # the last few, for looking at when something is odd
    parts = deque(maxlen=20)
    for it in itertools.count():
        if it >= iterations:
            break
        roll, score = collect(env, model, 8)
        rollouts.append(roll)
        for mb in roll.minibatches(64):
            policy, value, entropy = ppo_loss(model, mb)
            total = policy
            total += 0.5 * value
            total -= 0.02 * entropy
            opt.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            parts.append(torch.stack([policy, value, entropy]).detach())
        if it % 40 == 39:
            mean = torch.stack(tuple(parts)).mean(0).tolist()
            print(f"{it + 1}: score {score:+.3f}  policy {mean[0]:+.3f} value {mean[1]:.3f} entropy {mean[2]:.3f}")


if __name__ == "__main__":
    main()
