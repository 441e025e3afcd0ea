from dataclasses import dataclass, field

import torch


@dataclass
class Steps:
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    reward: list = field(default_factory=list)

    def push(self, logp, value, reward):
        self.logp.append(logp)
        self.value.append(value)
        self.reward.append(reward)

    def to_go(self, gamma):
        run, out = torch.zeros_like(self.reward[0]), []
        for r in reversed(self.reward):
            run = r + gamma * run
            out.insert(0, run)
        return torch.stack(out)


class Centre:
    """Running level of the predicted returns, with bias correction at the start."""

    def __init__(self, rate):
        self.rate = rate
        self.level = 0.0
        self.weight = 0.0

    def update(self, predicted):
        self.level = (1 - self.rate) * self.level + self.rate * predicted.mean()  # <- culprit
        self.weight = (1 - self.rate) * self.weight + self.rate
        return self.level / self.weight
