"""Fixed grid RK4 for making data and an adaptive Heun-Euler pair for training."""
import torch


class SolverStats:
    """What the step size controller did."""

    def __init__(self):
        self.errors = []
        self.accepted = 0
        self.rejected = 0

    def note(self, err, ok):
        self.errors.append(err)  # <- culprit
        if ok:
            self.accepted += 1
        else:
            self.rejected += 1

    def summary(self, last=50):
        tail = [e.item() for e in self.errors[-last:]]
        mean = sum(tail) / max(1, len(tail))
        return f"accepted {self.accepted} rejected {self.rejected} mean error {mean:.2e}"


STATS = SolverStats()


def rk4_grid(f, y, ts):
    out = [y]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        h = t1 - t0
        k1 = f(t0, y)
        k2 = f(t0 + h / 2, y + h / 2 * k1)
        k3 = f(t0 + h / 2, y + h / 2 * k2)
        k4 = f(t1, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(y)
    return torch.stack(out)


def heun_euler(f, t, y, h):
    k1 = f(t, y)
    euler = y + h * k1
    k2 = f(t + h, euler)
    heun = y + 0.5 * h * (k1 + k2)
    return heun, heun - euler


def advance(f, t, y, t_end, h, tol):
    """From t to t_end in as many steps as the tolerance asks for."""
    while t < t_end - 1e-9:
        h = min(h, t_end - t)
        y_new, diff = heun_euler(f, t, y, h)
        err = diff.abs().amax()
        ok = err.item() <= tol or h < 1e-3
        STATS.note(err, ok)  # <- culprit
        if ok:
            t, y = t + h, y_new
        factor = 0.9 * (tol / max(err.item(), 1e-8)) ** 0.5
        h = h * min(2.0, max(0.3, factor))
    return y, h


def odeint(f, y0, ts, tol=1e-2):
    grid = ts.tolist()
    h = grid[1] - grid[0]
    ys, y = [y0], y0
    for t0, t1 in zip(grid[:-1], grid[1:]):
        y, h = advance(f, t0, y, t1, h, tol)
        ys.append(y)
    return torch.stack(ys)
