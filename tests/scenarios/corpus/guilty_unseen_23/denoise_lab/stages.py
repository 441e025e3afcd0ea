import random

STAGES = {}


def stage(cls):
    STAGES[cls.kind] = cls
    return cls


class Stage:
    kind = "?"

    def apply(self, x):
        raise NotImplementedError

    def __call__(self, x):
        return self.apply(x)


class BandStage(Stage):
    def __init__(self, width, seed=0):
        self.width = width
        self.rng = random.Random(seed)

    def pick(self, n):
        lo = self.rng.randrange(n - self.width)
        return slice(lo, lo + self.width)


@stage
class LevelMeter(Stage):
    kind = "meter"

    def __init__(self, decay):
        self.decay = decay
        self.level = None

    def apply(self, x):
        now = x.mean().item()
        self.level = now if self.level is None else self.decay * self.level + (1 - self.decay) * now
        return x


@stage
class BandStop(BandStage):
    kind = "bandstop"

    def apply(self, x):
        band = self.pick(x.size(-1))
        x[..., band] = 0.0  # <- culprit
        return x
