"""Running figures, written as coroutines: send a value, get the current figure."""


def primed(fn):
    def start(*args, **kw):
        gen = fn(*args, **kw)
        next(gen)
        return gen
    return start


@primed
def ema(decay, start=0.0):
    mean = start
    while True:
        value = yield mean
        mean = decay * mean + (1 - decay) * value  # <- culprit


@primed
def peak(start=0.0):
    top = start
    while True:
        value = yield top
        top = max(top, float(value))


class Board:
    def __init__(self, **meters):
        self.meters = meters
        self.latest = {}

    def push(self, **values):
        for name, value in values.items():
            self.latest[name] = self.meters[name].send(value)  # <- culprit
        return self.latest

    def show(self):
        return "  ".join(f"{k}={float(v):.4f}" for k, v in self.latest.items())
