"""Small push-style filters. Each one is primed on creation, then fed with send()."""
from functools import wraps


def primed(gen_fn):
    @wraps(gen_fn)
    def start(*args, **kwargs):
        g = gen_fn(*args, **kwargs)
        next(g)
        return g

    return start


@primed
def ema(decay):
    centre = yield
    while True:
        sample = yield centre
        centre = decay * centre + (1.0 - decay) * sample  # <- culprit


@primed
def peak():
    top = yield
    while True:
        value = yield top
        top = max(top, value)
