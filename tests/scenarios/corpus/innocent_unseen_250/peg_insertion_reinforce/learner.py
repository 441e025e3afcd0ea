from dataclasses import dataclass

import torch


@dataclass
class ReinforceSettings:
    seed: int = 33
    parallel: int = 12
    hidden: int = 32
    horizon: int = 10
    attempts: int = 120
    entropy: float = 0.01
    lr: float = 3e-3


class ReinforceLearner:
    def __init__(self, settings, controller):
        self.settings = settings
        self.controller = controller
        self.optimizer = torch.optim.Adam(controller.parameters(), lr=settings.lr)
        self.baseline = torch.zeros(())
        self.log_probs = []
        self.entropies = []
        self.rewards = []

    def attempt(self, workcell):
        self.controller.begin(workcell.parallel)
        readings = workcell.reset()
        for _ in range(self.settings.horizon):
            policy = self.controller(readings)
            motion = policy.sample()
            readings, reward = workcell.nudge(motion)
            self.log_probs.append(policy.log_prob(motion))
            self.entropies.append(policy.entropy())
            self.rewards.append(reward)

    def finish(self):
        rewards = torch.stack(self.rewards)
        to_go = rewards.flip(0).cumsum(0).flip(0)
        advantage = to_go - self.baseline
        surrogate = torch.stack(self.log_probs) * advantage
        bonus = torch.stack(self.entropies).mean()
        loss = -surrogate.mean() - self.settings.entropy * bonus
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.baseline = 0.9 * self.baseline + 0.1 * to_go.mean()
        score = rewards.sum(dim=0).mean().item()
        self.log_probs.clear()
        self.entropies.clear()
        self.rewards.clear()
        return score
