"""Ways of balancing several task losses."""

_WEIGHERS = {}


def weigher(name):
    def deco(cls):
        _WEIGHERS[name] = cls
        return cls
    return deco


def build_weigher(name, **kw):
    return _WEIGHERS[name](**kw)


@weigher("fixed")
class FixedWeights:
    def __init__(self, weights=None):
        self.weights = weights or {}

    def __call__(self, losses):
        return sum(self.weights.get(k, 1.0) * v for k, v in losses.items())


@weigher("running")
class RunningScale:
    """Brings every task to about unit size: each loss over its own running average."""

    def __init__(self, beta=0.9, eps=1e-6):
        self.beta = beta
        self.eps = eps
        self.running = {}

    def _track(self, task, value):
        prev = self.running.get(task)
        if prev is None:
            self.running[task] = value  # <- culprit
        else:
            self.running[task] = self.beta * prev + (1 - self.beta) * value  # <- culprit
        return self.running[task]

    def __call__(self, losses):
        total = 0.0
        for task, value in losses.items():
            scale = self._track(task, value) + self.eps
            total = total + value / scale
        return total / len(losses)
