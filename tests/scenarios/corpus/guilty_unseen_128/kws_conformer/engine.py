import functools
import time

import torch


class AverageMeter:
    def __init__(self):
        self.sum, self.n, self.avg = 0.0, 0, 0.0

    def update(self, v, n=1):
        self.sum += v * n
        self.n += n
        self.avg = self.sum / self.n


def evaluation(fn):
    """Run ``fn(model, ...)`` in eval mode and report how long it took."""

    @functools.wraps(fn)
    def inner(model, *args, **kw):
        was_training = model.training
        model.eval()
        torch.set_grad_enabled(False)  # <- culprit
        t0 = time.perf_counter()
        try:
            return fn(model, *args, **kw)
        finally:
            model.train(was_training)
            inner.elapsed = time.perf_counter() - t0

    inner.elapsed = 0.0
    return inner
