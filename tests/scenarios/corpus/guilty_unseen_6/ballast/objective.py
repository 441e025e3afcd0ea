import torch
import torch.nn.functional as F


def pairwise_term(good, poor):
    return -F.logsigmoid(good - poor).mean()


def calibration_term(good, poor):
    both = torch.cat([good, poor])
    return both.pow(2).mean() + 0.5


class ScaleBalancer:
    """Brings terms of different units to a comparable size by their recent level."""

    def __init__(self, decay):
        self.decay = decay
        self.level = {}

    def combine(self, **terms):
        out = 0.0
        for name, term in terms.items():
            before = self.level.get(name, term)  # <- culprit
            self.level[name] = self.decay * before + (1 - self.decay) * term  # <- culprit
            out = out + term / self.level[name]
        return out
