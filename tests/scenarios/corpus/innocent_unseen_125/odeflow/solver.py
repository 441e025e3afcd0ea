import torch
from torch.utils.checkpoint import checkpoint


def rk4_step(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, y0, ts, remat=True):
    ys = [y0]
    for a, b in zip(ts[:-1], ts[1:]):
        if remat:
            ys.append(checkpoint(rk4_step, f, a, ys[-1], b - a, use_reentrant=False))
        else:
            ys.append(rk4_step(f, a, ys[-1], b - a))
    return torch.stack(ys)
