import contextvars
from contextlib import contextmanager

import torch

level = contextvars.ContextVar("level")


@contextmanager
def fresh():
    token = level.set(torch.zeros(()))
    try:
        yield
    finally:
        level.reset(token)


def current():
    return level.get()


def blend(value, rate=0.1):
    level.set((1 - rate) * level.get() + rate * value)  # <- culprit
    return level.get()
