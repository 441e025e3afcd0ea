from contextlib import ExitStack, contextmanager

import torch


class Pool:
    """Lends buffers of one shape; grows when none is free."""

    def __init__(self, shape):
        self.shape, self.free, self.out = shape, [], 0

    @contextmanager
    def lease(self):
        buf = self.free.pop() if self.free else torch.empty(self.shape)
        self.out += 1
        try:
            yield buf
        finally:
            self.out -= 1
            self.free.append(buf)


class Rig:
    def __init__(self, pool):
        self.pool = pool
        self._stack = ExitStack()
        h, w = pool.shape[-2:]
        self.yy, self.xx = torch.meshgrid(torch.linspace(-1, 1, h), torch.linspace(-1, 1, w), indexing="ij")

    def __enter__(self):
        self._stack.__enter__()
        return self

    def __exit__(self, *exc):
        return self._stack.__exit__(*exc)

    def _render(self, buf, goal):
        for b, (gy, gx) in zip(buf, goal):
            b[0].copy_(((self.yy - gy) ** 2 + (self.xx - gx) ** 2).mul_(-6).exp_())
        return buf

    def look(self, goal):
        buf = self._stack.enter_context(self.pool.lease())  # <- culprit
        return self._render(buf, goal)
