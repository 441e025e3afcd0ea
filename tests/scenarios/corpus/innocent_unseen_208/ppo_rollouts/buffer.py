from collections import defaultdict

import torch


class RolloutBuffer:
    def __init__(self, gamma, lam):
        self.gamma, self.lam = gamma, lam
        self.data = defaultdict(list)

    def store(self, **items):
        for key, value in items.items():
            self.data[key].append(value)

    def finish(self, last_value):
        values = self.data["value"] + [last_value]
        adv, out = torch.zeros_like(last_value), []
        for t in reversed(range(len(self.data["reward"]))):
            keep = 1 - self.data["done"][t]
            delta = self.data["reward"][t] + self.gamma * keep * values[t + 1] - values[t]
            adv = delta + self.gamma * self.lam * keep * adv
            out.append(adv)
        self.data["adv"] = out[::-1]
        self.data["ret"] = [a + v for a, v in zip(self.data["adv"], values)]

    def flat(self):
        return {k: torch.cat(v) for k, v in self.data.items()}

    def reset(self):
        self.data.clear()
