# gradwatch-corpus: kind=graph-chain
# holder: self.mean | self.cov | kf.mean | kf.cov | self.nll_filter.mean
# first-bad: 1
"""Learn process and measurement noise of a constant-velocity Kalman filter from a stream of range windows."""
import argparse
import json
import os
import tempfile

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def simulate(n, dt, q, r, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(2)
    out = np.empty((n, 1), dtype=np.float32)
    for i in range(n):
        a = rng.normal(scale=q)
        x = np.array([x[0] + dt * x[1] + 0.5 * dt * dt * a, 0.98 * x[1] + dt * a])
        out[i, 0] = x[0] + rng.normal(scale=r)
    return torch.from_numpy(out)


class KalmanFilter(nn.Module):
    def __init__(self, dt=0.1):
        super().__init__()
        self.register_buffer("F", torch.tensor([[1.0, dt], [0.0, 0.98]]))
        self.register_buffer("G", torch.tensor([[0.5 * dt * dt], [dt]]))
        self.register_buffer("H", torch.tensor([[1.0, 0.0]]))
        self.log_q = nn.Parameter(torch.tensor(-1.0))
        self.log_r = nn.Parameter(torch.tensor(1.0))
        self.reset()

    def reset(self):
        self.mean = torch.zeros(2, 1)
        self.cov = torch.eye(2)

    def predict(self, mean, cov):
        Q = torch.exp(2 * self.log_q) * (self.G @ self.G.t()) + 1e-5 * torch.eye(2)
        return self.F @ mean, self.F @ cov @ self.F.t() + Q

    def update(self, mean, cov, z):
        innov = z - self.H @ mean
        S = self.H @ cov @ self.H.t() + torch.exp(2 * self.log_r)
        K = cov @ self.H.t() / S
        mean = mean + K @ innov
        cov = (torch.eye(2) - K @ self.H) @ cov
        nll = 0.5 * (innov.pow(2) / S + torch.log(S)).squeeze()
        return mean, cov, nll

    def filter_window(self, window):
        mean, cov = self.mean, self.cov  # <- culprit
        nll = 0.0
        for z in window:
            mean, cov = self.predict(mean, cov)
            mean, cov, step_nll = self.update(mean, cov, z.view(1, 1))
            nll = nll + step_nll
        self.mean, self.cov = mean, cov  # <- culprit
        return nll / len(window)


class NoiseFitter:
    def __init__(self, args):
        self.nll_filter = KalmanFilter(args.dt)
        self.opt = torch.optim.Adam(self.nll_filter.parameters(), lr=args.lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 25, 0.7)
        self.log = []

    def step(self, window):
        self.opt.zero_grad()
        loss = self.nll_filter.filter_window(window)
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.nll_filter.parameters(), 5.0)
        self.opt.step()
        self.sched.step()
        self.log.append(dict(nll=loss.item(), q=self.nll_filter.log_q.exp().item(),
                             r=self.nll_filter.log_r.exp().item()))
        return self.log[-1]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--windows", type=int, default=60)
    ap.add_argument("--length", type=int, default=6)
    ap.add_argument("--dt", type=float, default=0.1)
    ap.add_argument("--lr", type=float, default=0.03)
    args = ap.parse_args()
    torch.manual_seed(3)
    stream = simulate(args.windows * args.length, args.dt, 2.0, 0.4, 3)
    fitter = NoiseFitter(args)
    for i, window in enumerate(stream.split(args.length)):
        row = fitter.step(window)
        if i % 10 == 0:
            print(f"window {i:3d}  nll {row['nll']:.4f}  q {row['q']:.3f}  r {row['r']:.3f}")
    with tempfile.TemporaryDirectory() as d:
        with open(os.path.join(d, "noise.json"), "w") as f:
            json.dump(fitter.log, f)


if __name__ == "__main__":
    main()
