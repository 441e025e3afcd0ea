import torch


def rk4_step(f, t, z, h):
    k1 = f(t, z)
    k2 = f(t + h / 2, z + h / 2 * k1)
    k3 = f(t + h / 2, z + h / 2 * k2)
    k4 = f(t + h, z + h * k3)
    return z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, z0, ts):
    out = [z0]
    for a, b in zip(ts[:-1], ts[1:]):
        out.append(rk4_step(f, a, out[-1], b - a))
    return torch.stack(out)


class Segmenter:
    """Integrates a long trajectory segment by segment, each starts where the last one ended."""

    def __init__(self, func, ts, length):
        self.func, self.ts, self.length = func, ts, length
        self.pos = 0
        self.front = None

    def start(self, z0):
        self.pos, self.front = 0, z0

    @property
    def finished(self):
        return self.pos + 1 >= len(self.ts)

    def advance(self):
        lo, hi = self.pos, min(self.pos + self.length, len(self.ts) - 1)
        path = odeint(self.func, self.front, self.ts[lo:hi + 1])  # <- culprit
        self.pos = hi
        self.front = path[-1]  # <- culprit
        return slice(lo + 1, hi + 1), path[1:]
