# gradwatch-corpus: kind=inplace-modified
# first-bad: 6
"""TD3 on a one-joint reacher with delayed actor updates."""
from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class TD3Config:
    obs_dim: int = 5
    act_dim: int = 1
    hidden: int = 64
    batch: int = 64
    capacity: int = 2048
    gamma: float = 0.97
    tau: float = 0.01
    noise: float = 0.2
    policy_delay: int = 3
    actor_start: int = 6
    steps: int = 120


class Replay:
    def __init__(self, cfg: TD3Config) -> None:
        self.obs = torch.zeros(cfg.capacity, cfg.obs_dim)
        self.act = torch.zeros(cfg.capacity, cfg.act_dim)
        self.rew = torch.zeros(cfg.capacity, 1)
        self.nxt = torch.zeros(cfg.capacity, cfg.obs_dim)
        self.cursor = 0
        self.capacity = cfg.capacity

    def fill(self, n: int) -> None:
        for _ in range(n):
            i = self.cursor % self.capacity
            obs = torch.randn(self.obs.shape[1])
            act = torch.rand(1) * 2 - 1
            self.obs[i] = obs
            self.act[i] = act
            self.rew[i] = -(obs[:1] + act).abs()
            self.nxt[i] = 0.9 * obs + 0.1 * act
            self.cursor += 1

    def sample(self, n: int) -> tuple[Tensor, ...]:
        idx = torch.randint(0, min(self.cursor, self.capacity), (n,))
        return self.obs[idx], self.act[idx], self.rew[idx], self.nxt[idx]


def mlp(*widths: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for a, b in zip(widths, widths[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class TwinCritic(nn.Module):
    def __init__(self, cfg: TD3Config) -> None:
        super().__init__()
        self.q1 = mlp(cfg.obs_dim + cfg.act_dim, cfg.hidden, cfg.hidden, 1)
        self.q2 = mlp(cfg.obs_dim + cfg.act_dim, cfg.hidden, cfg.hidden, 1)

    def forward(self, obs: Tensor, act: Tensor) -> tuple[Tensor, Tensor]:
        joint = torch.cat([obs, act], dim=-1)
        return self.q1(joint), self.q2(joint)


class TD3:
    def __init__(self, cfg: TD3Config) -> None:
        self.cfg = cfg
        self.actor = nn.Sequential(mlp(cfg.obs_dim, cfg.hidden, cfg.act_dim), nn.Tanh())
        self.critic = TwinCritic(cfg)
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    @torch.no_grad()
    def bootstrap(self, rew: Tensor, nxt: Tensor) -> Tensor:
        jitter = (torch.randn(len(nxt), self.cfg.act_dim) * self.cfg.noise).clamp(-0.4, 0.4)
        act = (self.actor_target(nxt) + jitter).clamp(-1, 1)
        return rew + self.cfg.gamma * torch.minimum(*self.critic_target(nxt, act))

    def losses(self, step: int, batch: tuple[Tensor, ...]) -> dict[str, Tensor]:
        obs, act, rew, nxt = batch
        goal = self.bootstrap(rew, nxt)
        q1, q2 = self.critic(obs, act)
        out = {"critic": F.mse_loss(q1, goal) + F.mse_loss(q2, goal)}
        if step >= self.cfg.actor_start and step % self.cfg.policy_delay == 0:
            out["actor"] = -self.critic(obs, self.actor(obs))[0].mean()  # <- culprit
        return out

    def update(self, step: int, batch: tuple[Tensor, ...]) -> dict[str, float]:
        losses = self.losses(step, batch)
        for name, opt in (("critic", self.critic_opt), ("actor", self.actor_opt)):
            if name in losses:
                opt.zero_grad()
                losses[name].backward()
                opt.step()  # <- culprit
        self.track()
        return {name: value.item() for name, value in losses.items()}

    @torch.no_grad()
    def track(self) -> None:
        for slow, fast in ((self.actor_target, self.actor), (self.critic_target, self.critic)):
            for s, f in zip(slow.parameters(), fast.parameters()):
                s.lerp_(f, self.cfg.tau)


def main() -> None:
    torch.manual_seed(13)
    cfg = TD3Config()
    replay = Replay(cfg)
    replay.fill(300)
    agent = TD3(cfg)
    for step in range(cfg.steps):
        replay.fill(2)
        report = agent.update(step, replay.sample(cfg.batch))
        if step % 3 == 0:
            print(step, {k: round(v, 4) for k, v in report.items()})


if __name__ == "__main__":
    main()
