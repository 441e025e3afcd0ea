from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.distributions import Categorical


@dataclass
class Decision:
    arm: Tensor
    log_prob: Tensor
    entropy: Tensor
    value: Tensor


class Agent(nn.Module):
    def __init__(self, d: int, arms: int, hidden: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, arms)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, ctx: Tensor) -> Decision:
        h = self.trunk(ctx)
        dist = Categorical(logits=self.actor(h))
        arm = dist.sample()
        return Decision(arm, dist.log_prob(arm), dist.entropy(), self.critic(h).squeeze(-1))

    @torch.no_grad()
    def greedy(self, ctx: Tensor) -> Tensor:
        return self.actor(self.trunk(ctx)).argmax(-1)
