# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Container yard: continuous crane speeds from an actor that climbs a learned value surface."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class YardConfig:
    bays: int = 10
    cranes: int = 3
    hidden: int = 40
    batch: int = 64
    gamma: float = 0.93
    rounds: int = 80
    critic_lr: float = 2e-3
    actor_lr: float = 1e-3
    tau: float = 0.02
    seed: int = 19


@dataclass
class Transition:
    queue: Tensor
    speeds: Tensor
    reward: Tensor
    next_queue: Tensor


class YardSim:
    def __init__(self, cfg: YardConfig) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.reach = torch.rand(cfg.cranes, cfg.bays, generator=self.gen)
        self.queue = torch.rand(cfg.batch, cfg.bays, generator=self.gen)

    def advance(self, speeds: Tensor) -> Transition:
        cleared = torch.relu(speeds) @ self.reach * 0.3
        arrivals = 0.2 * torch.rand(self.queue.shape, generator=self.gen)
        after = (self.queue + arrivals - cleared).clamp(0.0, 3.0)
        reward = -after.sum(dim=1) - 0.1 * speeds.pow(2).sum(dim=1)
        seen = Transition(self.queue, speeds, reward, after)
        self.queue = after
        return seen


class CraneActor(nn.Module):
    def __init__(self, cfg: YardConfig) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.bays, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.cranes))

    def forward(self, queue: Tensor) -> Tensor:
        return torch.tanh(self.net(queue))


class YardCritic(nn.Module):
    def __init__(self, cfg: YardConfig) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(cfg.bays + cfg.cranes, cfg.hidden),
            nn.ReLU(),
            nn.Linear(cfg.hidden, cfg.hidden),
            nn.ReLU(),
            nn.Linear(cfg.hidden, 1),
        )

    def forward(self, queue: Tensor, speeds: Tensor) -> Tensor:
        return self.net(torch.cat([queue, speeds], dim=1)).squeeze(1)


@dataclass
class Tally:
    td: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)


class DispatchLearner:
    def __init__(self, cfg: YardConfig) -> None:
        self.cfg = cfg
        self.actor = CraneActor(cfg)
        self.critic = YardCritic(cfg)
        self.critic_slow = YardCritic(cfg).requires_grad_(False)
        self.critic_slow.load_state_dict(self.critic.state_dict())
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.actor_lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=cfg.critic_lr)
        self.tally = Tally()

    def act(self, queue: Tensor) -> Tensor:
        with torch.no_grad():
            speeds = self.actor(queue)
        return (speeds + 0.2 * torch.randn_like(speeds)).clamp(-1, 1)

    def bootstrap(self, tr: Transition) -> Tensor:
        with torch.no_grad():
            return tr.reward + self.cfg.gamma * self.critic_slow(tr.next_queue, self.actor(tr.next_queue))

    def learn(self, tr: Transition) -> None:
        goal = self.bootstrap(tr)
        td_loss = nn.functional.smooth_l1_loss(self.critic(tr.queue, tr.speeds), goal)
        policy_loss = -self.critic(tr.queue, self.actor(tr.queue)).mean()  # <- culprit
        self.critic_opt.zero_grad()
        td_loss.backward()
        self.critic_opt.step()  # <- culprit
        self.actor_opt.zero_grad()
        policy_loss.backward()  # <- culprit
        self.actor_opt.step()
        self.tally.td.append(td_loss.item())
        self.tally.value.append(-policy_loss.item())
        self.blend()

    @torch.no_grad()
    def blend(self) -> None:
        for slow, fast in zip(self.critic_slow.parameters(), self.critic.parameters()):
            slow.lerp_(fast, self.cfg.tau)


def main() -> None:
    cfg = YardConfig()
    torch.manual_seed(cfg.seed)
    sim = YardSim(cfg)
    learner = DispatchLearner(cfg)
    for n in range(cfg.rounds):
        learner.learn(sim.advance(learner.act(sim.queue)))
        if n % 10 == 0:
            print(f"round {n} td {learner.tally.td[-1]:.3f} value {learner.tally.value[-1]:.3f}")


if __name__ == "__main__":
    main()
