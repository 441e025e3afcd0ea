from __future__ import annotations

from collections import deque
from typing import NamedTuple

import torch
from torch import Tensor, nn

from building import BuildingSpec


class Step(NamedTuple):
    calls: Tensor
    choice: int
    reward: float
    following: Tensor
    q_then: Tensor


class Memory:
    def __init__(self, spec: BuildingSpec) -> None:
        self.spec = spec
        self.steps: deque[Step] = deque(maxlen=spec.memory)
        self.gen = torch.Generator().manual_seed(1)

    @property
    def ready(self) -> bool:
        return len(self.steps) >= self.spec.warmup

    def add(self, calls: Tensor, choice: Tensor, reward: Tensor, following: Tensor, q: Tensor) -> None:
        for row in zip(calls, choice.tolist(), reward.tolist(), following, q.detach()):
            self.steps.append(Step(*row))

    def draw(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        picks = torch.randint(len(self.steps), (self.spec.batch,), generator=self.gen).tolist()
        chosen = [self.steps[i] for i in picks]
        return (
            torch.stack([s.calls for s in chosen]),
            torch.tensor([s.choice for s in chosen]),
            torch.tensor([s.reward for s in chosen]),
            torch.stack([s.following for s in chosen]),
        )

    def q_shift(self) -> float:
        oldest = torch.stack([s.q_then for s in list(self.steps)[:32]])
        newest = torch.stack([s.q_then for s in list(self.steps)[-32:]])
        return (newest.mean() - oldest.mean()).item()


def q_network(spec: BuildingSpec) -> nn.Module:
    return nn.Sequential(nn.Linear(spec.floors, 48), nn.Mish(), nn.Linear(48, spec.actions))


class GroupController:
    def __init__(self, spec: BuildingSpec) -> None:
        self.spec = spec
        self.online = q_network(spec)
        self.target = q_network(spec).requires_grad_(False)
        self.target.load_state_dict(self.online.state_dict())
        self.opt = torch.optim.Adam(self.online.parameters(), lr=spec.lr)
        self.memory = Memory(spec)
        self.last_q: Tensor | None = None
        self.td = float("nan")

    @torch.no_grad()
    def decide(self, calls: Tensor, tick: int) -> Tensor:
        self.last_q = self.online(calls)
        greedy = self.last_q.argmax(dim=1)
        wander = torch.rand(calls.shape[0]) < max(0.05, 0.6 - tick / 150)
        return torch.where(wander, torch.randint_like(greedy, self.spec.actions), greedy)

    def learn(self, tick: int) -> None:
        calls, choice, reward, following = self.memory.draw()
        with torch.no_grad():
            best = self.online(following).argmax(dim=1, keepdim=True)
            goal = reward + self.spec.gamma * self.target(following).gather(1, best).squeeze(1)
        value = self.online(calls).gather(1, choice.unsqueeze(1)).squeeze(1)
        loss = nn.functional.huber_loss(value, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.td = loss.item()
        if tick % self.spec.sync_every == 0:
            self.target.load_state_dict(self.online.state_dict())
