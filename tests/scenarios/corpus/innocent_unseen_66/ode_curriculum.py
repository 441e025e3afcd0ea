# gradwatch-corpus: kind=none
"""Fitting a Lotka-Volterra vector field. The horizon grows while the fit is good, the roll-out is
checkpointed, diverged roll-outs are skipped, and L-BFGS polishes the result."""
import logging
from collections import deque
from contextlib import suppress

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("ode")
DT = 0.1


class Diverged(RuntimeError):
    def __init__(self, step, last):
        super().__init__(f"left the box at step {step}")
        self.step, self.last = step, last


def true_field(s):
    x, y = s.unbind(-1)
    return torch.stack([1.1 * x - 0.8 * x * y, 0.6 * x * y - 0.9 * y], -1)


def rk4(f, s):
    k1 = f(s)
    k2 = f(s + 0.5 * DT * k1)
    k3 = f(s + 0.5 * DT * k2)
    k4 = f(s + DT * k3)
    return s + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@torch.no_grad()
def trajectories(n, steps):
    s, out = 0.5 + 1.5 * torch.rand(n, 2), []
    for _ in range(steps):
        out.append(s)
        s = rk4(true_field, s)
    return torch.stack(out)


class Field(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, s):
        return self.net(s)


class Fitter:
    def __init__(self, field, data, box=4.0):
        self.field, self.data, self.box = field, data, box
        self.horizon, self.skipped = 2, 0
        self.window = deque(maxlen=10)
        self.last_error = None

    def roll(self, start, steps, chunk=4):
        def piece(s, n):
            out = []
            for _ in range(n):
                s = rk4(self.field, s)
                out.append(s)
            return torch.stack(out)

        parts, s = [], start
        while steps > 0:
            n = min(chunk, steps)
            parts.append(checkpoint(piece, s, n, use_reentrant=False))
            s = parts[-1][-1]
            if s.abs().max() > self.box:
                raise Diverged(len(parts) * chunk, s.detach())
            steps -= n
        return torch.cat(parts)

    def loss(self, k):
        rows = torch.randint(0, self.data.shape[1], (k,))
        t0 = int(torch.randint(0, self.data.shape[0] - self.horizon, ()))
        target = self.data[t0:t0 + self.horizon + 1, rows]
        return (self.roll(target[0], self.horizon) - target[1:]).square().mean()

    def adam_phase(self, iters):
        opt = torch.optim.Adam(self.field.parameters(), lr=4e-3)
        for it in range(iters):
            try:
                loss = self.loss(48)
            except Diverged as err:
                self.skipped += 1
                self.last_error = str(err)
                continue
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.window.append(loss)
            if len(self.window) == 10 and torch.stack(list(self.window)).mean() < 0.02 and self.horizon < 20:
                self.horizon += 1
                self.window.clear()
            if it % 40 == 0:
                log.info("it %3d horizon %2d loss %.5f skipped %d", it, self.horizon, loss.item(), self.skipped)
        self.window.clear()

    def polish(self, rounds):
        opt = torch.optim.LBFGS(self.field.parameters(), lr=0.5, max_iter=4, history_size=5)
        target, value = self.data[:self.horizon + 1, :48], None
        for _ in range(rounds):
            def closure():
                opt.zero_grad()
                loss = (self.roll(target[0], self.horizon) - target[1:]).square().mean()
                loss.backward()
                return loss

            with suppress(Diverged):
                value = opt.step(closure)
        log.info("polished: %s", value if value is None else round(value.item(), 6))


if __name__ == "__main__":
    torch.manual_seed(6)
    fitter = Fitter(Field(), trajectories(200, 60))
    fitter.adam_phase(210)
    fitter.polish(10)
