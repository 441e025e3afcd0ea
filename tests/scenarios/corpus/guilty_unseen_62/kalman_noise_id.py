# gradwatch-corpus: kind=second-backward
# holder: self.cov | kf.cov
# first-bad: 1
# notice: 0
"""Identify the noise levels and damping of an oscillator from a stream of
position readings, by gradient ascent on the innovations likelihood.

The filter runs over the stream in windows; the belief at the end of a window
is the prior of the next.
"""
import argparse
import math

import numpy as np
import torch
from torch import nn


def make_stream(n, dt, seed):
    """Simulate a damped stochastic oscillator seen through a noisy sensor."""
    rng = np.random.default_rng(seed)
    x = np.array([1.0, 0.0])
    out = np.empty(n, dtype=np.float32)
    for i in range(n):
        acc = -4.0 * x[0] - 0.3 * x[1]
        x = x + dt * np.array([x[1], acc])
        x[1] += 0.35 * math.sqrt(dt) * rng.standard_normal()
        out[i] = x[0] + 0.2 * rng.standard_normal()
    return torch.from_numpy(out)


class InnovationsFilter(nn.Module):
    """Linear Kalman filter with learnable frequency, damping, Q and R."""

    def __init__(self, dt):
        super().__init__()
        self.dt = dt
        self.log_omega2 = nn.Parameter(torch.tensor(1.0))
        self.log_gamma = nn.Parameter(torch.tensor(-1.5))
        self.log_q = nn.Parameter(torch.tensor(-3.0))
        self.log_r = nn.Parameter(torch.tensor(-2.0))
        self.register_buffer("h", torch.tensor([[1.0, 0.0]]))
        self.restart()

    def restart(self):
        self.mean = torch.zeros(2, 1)
        self.cov = torch.eye(2)

    def transition(self):
        one = torch.ones(())
        row0 = torch.stack([one, one * self.dt])
        row1 = torch.stack([-self.dt * self.log_omega2.exp(),
                            1.0 - self.dt * self.log_gamma.exp()])
        return torch.stack([row0, row1])

    def process_noise(self):
        pattern = torch.tensor([[0.0, 0.0], [0.0, 1.0]])
        return pattern * self.log_q.exp() * self.dt + 1e-7 * torch.eye(2)

    def forward(self, window):
        """Return the mean negative log-likelihood of a window of readings."""
        f, q, r = self.transition(), self.process_noise(), self.log_r.exp()
        m, p = self.mean, self.cov
        nll = window.new_zeros(())
        for y in window:
            m = f @ m
            p = f @ p @ f.T + q
            s = (self.h @ p @ self.h.T).squeeze() + r
            gain = p @ self.h.T / s
            innovation = y - (self.h @ m).squeeze()
            m = m + gain * innovation
            p = p - gain @ self.h @ p
            nll = nll + 0.5 * (s.log() + innovation.square() / s)
        self.mean = m.detach()
        self.cov = 0.5 * (p + p.T)  # <- culprit
        return nll / len(window)


def windows(stream, size):
    for start in range(0, len(stream) - size + 1, size):
        yield stream[start:start + size]


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--window", type=int, default=25)
    ap.add_argument("--readings", type=int, default=3000)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    dt = 0.05
    stream = make_stream(args.readings, dt, args.seed)
    kf = InnovationsFilter(dt)
    opt = torch.optim.Adam(kf.parameters(), lr=args.lr)

    trace = []
    for k, win in enumerate(windows(stream, args.window)):
        opt.zero_grad()
        nll = kf(win)
        nll.backward()  # <- culprit
        torch.nn.utils.clip_grad_norm_(kf.parameters(), 1.0)
        opt.step()
        trace.append(nll.item())
        if k % 20 == 0:
            print(f"window {k:4d}  nll {trace[-1]:+.4f}  "
                  f"omega2 {kf.log_omega2.exp().item():.3f}  r {kf.log_r.exp().item():.3f}")
    print(f"mean nll, last ten windows: {sum(trace[-10:]) / 10:+.4f}")


if __name__ == "__main__":
    main()
