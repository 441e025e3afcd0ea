from collections import deque
from contextlib import contextmanager

import torch

from .flow import Coup


class WAvg:
    def __init__(self, m, b):
        self.b = b
        self.s = {k: v.detach().clone() for k, v in m.named_parameters()}

    @torch.no_grad()
    def update(self, m):
        for k, v in m.named_parameters():
            self.s[k] = torch.lerp(v, self.s[k], self.b)

    @contextmanager
    def use(self, m):
        old = {k: v.detach().clone() for k, v in m.named_parameters()}
        m.load_state_dict(self.s)
        yield m
        m.load_state_dict(old)


class Probe:
    """log-det of every coupling layer, from forward hooks"""

    def __init__(self, m, keep):
        self.on = True
        self.q = {}
        for n, c in m.named_modules():
            if isinstance(c, Coup):
                self.q[n] = deque(maxlen=keep)
                c.register_forward_hook(self.hook(n))

    def hook(self, n):
        def h(mod, inp, out):
            if self.on:
                self.q[n].append(out[1].detach())
        return h

    @contextmanager
    def off(self):
        self.on = False
        yield
        self.on = True

    def line(self):
        return "ld " + " ".join(f"{torch.stack(list(v)[-4:]).mean():+.2f}" for v in self.q.values())
