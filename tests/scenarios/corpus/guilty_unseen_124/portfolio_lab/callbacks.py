from torch import nn

CALLBACKS = {}


def register(name):
    def deco(cls):
        CALLBACKS[name] = cls
        return cls
    return deco


def build(name, **kw):
    return CALLBACKS[name](**kw)


class Callback:
    def after_backward(self, trainer):
        pass

    def after_step(self, trainer, logs):
        pass


@register("clip")
class Clip(Callback):
    def after_backward(self, trainer):
        nn.utils.clip_grad_norm_(trainer.policy.parameters(), 1.0)


@register("recorder")
class Recorder(Callback):
    def __init__(self):
        self.rows = []

    def after_step(self, trainer, logs):
        self.rows.append(dict(logs, step=trainer.step))  # <- culprit

    def best(self):
        return max(self.rows, key=lambda r: float(r["utility"]))


@register("console")
class Console(Callback):
    def __init__(self, every=80):
        self.every = every

    def after_step(self, trainer, logs):
        if trainer.step % self.every == 0:
            print(trainer.step, {k: round(float(v), 5) for k, v in logs.items()})
