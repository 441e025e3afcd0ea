from dataclasses import dataclass, field

import torch


@dataclass
class Rollout:
    obs: list = field(default_factory=list)
    act: list = field(default_factory=list)
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    reward: list = field(default_factory=list)

    def append(self, **items):
        for name, item in items.items():
            getattr(self, name).append(item)

    def advantages(self, last, gamma=0.95, lam=0.9):
        values = torch.stack([*self.value, last])
        out, running = [], torch.zeros_like(last)
        for t in reversed(range(len(self.reward))):
            delta = self.reward[t] + gamma * values[t + 1] - values[t]
            running = delta + gamma * lam * running
            out.append(running)
        return torch.stack(out[::-1])

    def flatten(self, last):
        adv = self.advantages(last)
        ret = adv + torch.stack(self.value)
        cat = [torch.stack(x).flatten(0, 1) for x in (self.obs, self.act, self.logp)]
        return *cat, adv.flatten(), ret.flatten()


class Archive:
    def __init__(self):
        self.rollouts = []

    def keep(self, rollout, limit=6):
        self.rollouts.append(rollout)
        if len(self.rollouts) > limit:
            self.rollouts.pop(0)

    def mean_reward(self):
        return torch.stack([r for ro in self.rollouts for r in ro.reward]).mean().item()
