from __future__ import annotations

from typing import Sequence

import torch.nn.functional as F
from torch import Tensor

from agent import Agent
from baselines import Baseline
from callbacks import Callback
from env import PromoEnv
from optim import SignMomentum


class BanditTrainer:
    def __init__(self, agent: Agent, env: PromoEnv, optimizer: SignMomentum, baseline: Baseline,
                 callbacks: Sequence[Callback] = ()) -> None:
        self.agent, self.env, self.optimizer, self.baseline = agent, env, optimizer, baseline
        self.callbacks = list(callbacks)
        self.scores: list[float] = []
        self.last_reward = 0.0
        for cb in self.callbacks:
            cb.bind(self)

    def objective(self) -> Tensor:
        ctx = self.env.contexts()
        d = self.agent(ctx)
        reward = self.env.reward(ctx, d.arm)
        self.last_reward = reward.mean().item()
        advantage = reward - self.baseline(d.value)  # <- culprit
        policy = -(d.log_prob * advantage).mean()
        return policy + 0.5 * F.mse_loss(d.value, reward) - 0.01 * d.entropy.mean()

    def run(self, steps: int) -> None:
        for step in range(steps):
            loss = self.objective()
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)
            self.optimizer.step()
            for cb in self.callbacks:
                cb.after_step(step)
