# gradwatch-corpus: kind=none
import argparse
from contextlib import contextmanager
from typing import List, Optional

import torch
import torch.nn as nn
from torch.distributions import Normal


class Dock:
    """A drifting craft that has to reach a moving berth."""

    def __init__(self, seed: int):
        self.g = torch.Generator().manual_seed(seed)

    def reset(self) -> torch.Tensor:
        self.x = torch.randn(4, generator=self.g)
        return self.x

    def step(self, thrust: torch.Tensor):
        pos, vel = self.x[:2], self.x[2:]
        vel = 0.9 * vel + 0.3 * thrust.clamp(-1, 1)
        pos = pos + 0.3 * vel + 0.02 * torch.randn(2, generator=self.g)
        self.x = torch.cat([pos, vel])
        return self.x, -(pos.square().sum() + 0.1 * thrust.square().sum()).item()


class Rollout:
    def __init__(self) -> None:
        self.logp: List[torch.Tensor] = []
        self.value: List[torch.Tensor] = []
        self.entropy: List[torch.Tensor] = []
        self.reward: List[float] = []

    @contextmanager
    def recording(self):
        try:
            yield self
        finally:
            for lst in vars(self).values():
                lst.clear()

    def returns(self, gamma: float) -> torch.Tensor:
        out, acc = [], 0.0
        for r in reversed(self.reward):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])


class Pilot(nn.Module):
    def __init__(self, d: int = 32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, d), nn.Tanh())
        self.mu, self.v = nn.Linear(d, 2), nn.Linear(d, 1)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))

    def forward(self, obs):
        h = self.trunk(obs)
        return Normal(self.mu(h), self.log_std.exp()), self.v(h)[0]


def main(cfg) -> None:
    torch.manual_seed(cfg.seed)
    env, pilot, roll = Dock(cfg.seed), Pilot(), Rollout()
    opt = torch.optim.Adam(pilot.parameters(), 1e-3)
    baseline: Optional[torch.Tensor] = None
    scores = []
    for ep in range(cfg.episodes):
        with roll.recording():
            obs = env.reset()
            for _ in range(cfg.length):
                dist, v = pilot(obs)
                act = dist.sample()
                obs, r = env.step(act)
                roll.logp.append(dist.log_prob(act).sum())
                roll.entropy.append(dist.entropy().sum())
                roll.value.append(v)
                roll.reward.append(r)
            ret = roll.returns(0.95)
            baseline = ret.mean() if baseline is None else 0.98 * baseline + 0.02 * ret.mean()
            values = torch.stack(roll.value) + baseline
            adv = (ret - values).detach()
            adv = adv / (adv.std() + 1e-5)
            critic = 0.1 * (values - ret).square().mean()
            actor = -(torch.stack(roll.logp) * adv).mean() - 1e-3 * torch.stack(roll.entropy).mean()
            opt.zero_grad()
            critic.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(pilot.parameters(), 1.0)
            actor.backward()
            opt.step()
            scores.append(sum(roll.reward))
        if ep % 60 == 0:
            print(ep, f"{sum(scores[-30:]) / len(scores[-30:]):.2f}", f"base {baseline.item():.2f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=420)
    ap.add_argument("--length", type=int, default=12)
    ap.add_argument("--seed", type=int, default=14)
    main(ap.parse_args())
