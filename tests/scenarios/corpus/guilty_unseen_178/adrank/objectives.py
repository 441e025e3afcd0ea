import torch.nn.functional as F

OBJECTIVES = {}


def objective(name):
    def wrap(cls):
        OBJECTIVES[name] = cls
        return cls
    return wrap


def build_objective(name):
    return OBJECTIVES[name]()


@objective("click")
class ClickLoss:
    def __call__(self, out, batch):
        return F.binary_cross_entropy_with_logits(out["click"], batch["click"])


@objective("dwell")
class DwellLoss:
    def __call__(self, out, batch):
        return F.smooth_l1_loss(out["dwell"], batch["dwell"])


class LossBalancer:
    """Divides every task loss by its own moving level so that tasks weigh alike."""

    def __init__(self, objectives, decay):
        self.objectives = objectives
        self.decay = decay
        self.level = {}

    def _track(self, name, value):
        if name not in self.level:
            self.level[name] = value.detach()
        self.level[name] = self.decay * self.level[name] + (1 - self.decay) * value  # <- culprit
        return self.level[name]

    def __call__(self, out, batch):
        parts, total = {}, 0.0
        for name, fn in self.objectives.items():
            value = fn(out, batch)
            total = total + value / self._track(name, value)
            parts[name] = value.item()
        return total, parts
