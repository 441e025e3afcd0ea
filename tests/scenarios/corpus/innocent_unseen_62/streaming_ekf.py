# gradwatch-corpus: kind=none
"""Differentiable extended Kalman filter for radar tracks, trained on a stream.

The belief lives on the filter for the whole run. Each window contributes two
objectives over the same pass: the likelihood and the calibration of the
normalised innovations; their gradients are combined by projecting conflicts out.
"""
import argparse
import math

import torch
from torch import nn


class Target:
    """Constant-speed target with random turn rate; range and bearing readings."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.x, self.y, self.th = 5.0, 2.0, 0.0

    def window(self, n, dt):
        z = torch.empty(n, 2)
        for i in range(n):
            e = torch.randn(3, generator=self.g)
            self.th += dt * (0.5 * float(e[0]) - 0.1 * self.th)
            self.x += dt * (math.cos(self.th) - 0.2 * (self.x - 5.0))
            self.y += dt * (math.sin(self.th) - 0.2 * (self.y - 2.0))
            z[i, 0] = math.hypot(self.x, self.y) + 0.1 * float(e[1])
            z[i, 1] = math.atan2(self.y, self.x) + 0.02 * float(e[2])
        return z


class NeuralEKF(nn.Module):
    def __init__(self, dt):
        super().__init__()
        self.dt = dt
        self.drift = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
        self.log_q = nn.Parameter(torch.tensor([-4.0, -4.0, -2.0, -2.0]))
        self.log_r = nn.Parameter(torch.tensor([-3.0, -6.0]))
        self.mean = torch.tensor([5.0, 2.0, 0.0, 0.0])
        self.cov = torch.eye(4)

    def move(self, s):
        acc = self.drift(s) - s[2:]
        return torch.cat([s[:2] + self.dt * s[2:], s[2:] + self.dt * acc])

    @staticmethod
    def measure(s):
        r = (s[0] ** 2 + s[1] ** 2).sqrt()
        h = torch.stack([r, torch.atan2(s[1], s[0])])
        zero = torch.zeros(())
        jac = torch.stack([torch.stack([s[0] / r, s[1] / r, zero, zero]),
                           torch.stack([-s[1] / r ** 2, s[0] / r ** 2, zero, zero])])
        return h, jac

    def jacobian(self, s):
        point = s.detach()
        cols = torch.func.jacfwd(self.move)(point)
        return cols.detach()

    def filter(self, window):
        m, p = self.mean, self.cov
        nll, nis = [], []
        for z in window:
            f = self.jacobian(m)
            m = self.move(m)
            p = f @ p @ f.T + torch.diag(self.log_q.exp())
            pred, h = self.measure(m)
            s = h @ p @ h.T + torch.diag(self.log_r.exp())
            nu = z - pred
            w = torch.linalg.solve(s, nu)
            nis.append(nu @ w)
            nll.append(0.5 * (nis[-1] + torch.logdet(s)))
            k = torch.linalg.solve(s, h @ p).T
            m = m + k @ nu
            p = p - k @ h @ p
            p = 0.5 * (p + p.T) + 1e-6 * torch.eye(4)
        self.mean, self.cov = m.detach(), p.detach()
        return torch.stack(nll).mean(), torch.stack(nis)


def gradients(loss, params, keep):
    grads = torch.autograd.grad(loss, params, retain_graph=keep, allow_unused=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).flatten()
                      for g, p in zip(grads, params)])


def merge(a, b):
    """Remove from each gradient the part that conflicts with the other."""
    dot = a @ b
    if dot < 0:
        a, b = a - dot / (b @ b + 1e-12) * b, b - dot / (a @ a + 1e-12) * a
    return a + 0.1 * b


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--windows", type=int, default=110)
    ap.add_argument("--length", type=int, default=6)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    ekf = NeuralEKF(dt=0.1)
    params = list(ekf.parameters())
    opt = torch.optim.Adam(params, lr=5e-3)
    target = Target(seed=2)
    running = None
    for it in range(args.windows):
        nll, nis = ekf.filter(target.window(args.length, ekf.dt))
        calibration = (nis.mean() / 2.0 - 1.0).square()
        flat = merge(gradients(nll, params, keep=True), gradients(calibration, params, keep=False))
        flat = flat * min(1.0, 5.0 / (flat.norm().item() + 1e-9))
        for p, g in zip(params, flat.split([p.numel() for p in params])):
            p.grad = g.view_as(p).clone()
        opt.step()
        value = nis.detach().mean()
        running = value if running is None else 0.95 * running + 0.05 * value
        if it % 20 == 0:
            print(f"{it:4d}  nll {nll.item():+.3f}  running nis {running.item():.3f}")


if __name__ == "__main__":
    main()
