from net import to_unit_rows

HOOKS = {}


def hook(name):
    def deco(cls):
        HOOKS[name] = cls
        return cls
    return deco


class Hook:
    """Points in a step, in order: batch, scored, stepped."""

    def batch(self, trainer, step): ...

    def scored(self, trainer, step, scores): ...

    def stepped(self, trainer, step, value): ...


@hook("usage")
class Usage(Hook):
    def __init__(self, groups):
        self.counts = [0] * groups

    def scored(self, trainer, step, scores):
        for g in scores.argmax(1).tolist():
            self.counts[g] += 1


@hook("unit_prototypes")
class UnitPrototypes(Hook):
    def __init__(self, every=1, after=0):
        self.every, self.after = every, after

    def scored(self, trainer, step, scores):
        if step >= self.after and step % self.every == 0:
            to_unit_rows(trainer.net.prototypes)  # <- culprit


@hook("console")
class Console(Hook):
    def __init__(self, every):
        self.every = every

    def stepped(self, trainer, step, value):
        if step % self.every == 0:
            print(f"step {step:3d} loss {value:.4f}")
