from dataclasses import dataclass, field

import torch


@dataclass
class FastWeights:
    values: dict = field(default_factory=dict)

    @classmethod
    def init(cls, dim, hidden):
        return cls({
            "w1": (torch.randn(dim, hidden) / dim ** 0.5).requires_grad_(),
            "b1": torch.zeros(hidden, requires_grad=True),
            "w2": (torch.randn(hidden) / hidden ** 0.5).requires_grad_(),
        })

    def predict(self, x):
        v = self.values
        return torch.tanh(x @ v["w1"] + v["b1"]) @ v["w2"]

    def moved(self, grads, rates):
        new = {}
        for (name, w), g in zip(self.values.items(), grads):
            new[name] = w - rates[name] * g  # <- culprit
        return FastWeights(new)  # <- culprit
