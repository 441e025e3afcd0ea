# gradwatch-corpus: kind=second-backward
# holder: traj.values | self.values | traj | adv | advantage
# first-bad: 1
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


class Room:
    """Keep the temperature near the set point with off/heat/cool."""

    def __init__(self, n=8, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n
        self.reset()

    def reset(self):
        self.temp = 4 * torch.randn(self.n, generator=self.g)
        self.out = 6 * torch.randn(self.n, generator=self.g)
        return self.obs()

    def obs(self):
        return torch.stack([self.temp, self.out, self.temp.abs()], -1) / 5

    def step(self, a):
        push = torch.tensor([0.0, 1.0, -1.0])[a]
        self.temp = self.temp + push + 0.05 * (self.out - self.temp)
        return self.obs(), -self.temp.abs() - 0.1 * push.abs()


class ActorCritic(nn.Module):
    def __init__(self, obs=3, actions=3, hid=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hid), nn.Tanh(), nn.Linear(hid, hid), nn.Tanh())
        self.pi = nn.Linear(hid, actions)
        self.v = nn.Linear(hid, 1)

    def forward(self, o):
        h = self.trunk(o)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


@dataclass
class Trajectory:
    obs: list = field(default_factory=list)
    acts: list = field(default_factory=list)
    logps: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def add(self, o, a, lp, v, r):
        for box, item in zip((self.obs, self.acts, self.logps, self.values, self.rewards), (o, a, lp, v, r)):
            box.append(item)  # <- culprit

    def finish(self, gamma=0.95):
        ret, out = torch.zeros_like(self.rewards[0]), []
        for r in reversed(self.rewards):
            ret = r + gamma * ret
            out.insert(0, ret)
        returns = torch.stack(out)
        adv = returns - torch.stack(self.values)  # <- culprit
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        flat = lambda xs: torch.stack(list(xs)).flatten(0, 1)
        return flat(self.obs), flat(self.acts), flat(self.logps), returns.flatten(), adv.flatten()  # <- culprit


def collect(env, ac, horizon):
    traj, o = Trajectory(), env.reset()
    for _ in range(horizon):
        dist, value = ac(o)  # <- culprit
        a = dist.sample()
        nxt, r = env.step(a)
        traj.add(o, a, dist.log_prob(a).detach(), value, r)  # <- culprit
        o = nxt
    return traj


class PPO:
    def __init__(self, ac, lr=3e-3, epochs=4, minibatch=64, clip=0.2):
        self.ac, self.epochs, self.minibatch, self.clip = ac, epochs, minibatch, clip
        self.opt = torch.optim.Adam(ac.parameters(), lr=lr)

    def update(self, traj):
        obs, acts, old_logp, returns, adv = traj.finish()  # <- culprit
        for _ in range(self.epochs):
            for idx in torch.randperm(len(obs)).split(self.minibatch):
                dist, v = self.ac(obs[idx])
                ratio = (dist.log_prob(acts[idx]) - old_logp[idx]).exp()
                a = adv[idx]  # <- culprit
                surr = torch.min(ratio * a, ratio.clamp(1 - self.clip, 1 + self.clip) * a)
                loss = -surr.mean() + 0.01 * (returns[idx] - v).pow(2).mean() - 0.01 * dist.entropy().mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    env, algo = Room(), PPO(ActorCritic())
    for it in range(15):
        traj = collect(env, algo.ac, horizon=24)
        print(f"round {it} mean reward {torch.stack(traj.rewards).mean():.3f}")
        algo.update(traj)
