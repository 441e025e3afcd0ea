# gradwatch-corpus: kind=graph-chain
# holder: self.h | esn.h
# first-bad: 1
"""Leaky echo-state world model with a learned input map, trained online on a Lorenz stream."""
import argparse
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=110)
    p.add_argument("--reservoir", type=int, default=96)
    p.add_argument("--leak", type=float, default=0.4)
    p.add_argument("--rho", type=float, default=0.85)
    p.add_argument("--streams", type=int, default=16)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--log_every", type=int, default=20)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args([])


class LorenzStream:
    def __init__(self, n, dt=0.02):
        self.dt = dt
        self.x = torch.randn(n, 3) + torch.tensor([0.0, 1.0, 20.0])

    def step(self):
        x, y, z = self.x.unbind(-1)
        dx = torch.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z], dim=-1)
        before = self.x
        self.x = self.x + self.dt * dx
        return before / 20.0, self.x / 20.0


class LeakyESN(nn.Module):
    def __init__(self, obs_dim, n_units, leak, rho):
        super().__init__()
        self.leak = leak
        w = torch.randn(n_units, n_units) * (torch.rand(n_units, n_units) < 0.1)
        radius = torch.linalg.eigvals(w).abs().max()
        self.register_buffer("w_rec", rho * w / radius)
        self.w_in = nn.Linear(obs_dim, n_units)
        self.readout = nn.Linear(n_units, obs_dim)
        self.h = None

    def init_state(self, batch):
        self.h = torch.zeros(batch, self.w_rec.size(0))

    def forward(self, obs):
        drive = torch.einsum("bi,ij->bj", self.h, self.w_rec) + self.w_in(obs)
        new = torch.tanh(drive)
        self.h = (1.0 - self.leak) * self.h + self.leak * new  # <- culprit
        return obs + self.readout(self.h)


class Meter:
    def __init__(self):
        self.sums = defaultdict(float)
        self.counts = defaultdict(int)

    def add(self, **kw):
        for k, v in kw.items():
            self.sums[k] += v
            self.counts[k] += 1

    def flush(self):
        out = {k: self.sums[k] / self.counts[k] for k in self.sums}
        self.sums.clear()
        self.counts.clear()
        return out


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    stream = LorenzStream(args.streams)
    esn = LeakyESN(3, args.reservoir, args.leak, args.rho)
    opt = torch.optim.Adam(esn.parameters(), lr=args.lr)
    meter = Meter()
    esn.init_state(args.streams)
    for step in range(args.steps):
        obs, target = stream.step()
        pred = esn(obs)
        mse = F.mse_loss(pred, target)
        act_reg = esn.h.pow(2).mean()
        loss = mse + 1e-3 * act_reg
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        gnorm = nn.utils.clip_grad_norm_(esn.parameters(), 1.0)
        opt.step()
        meter.add(mse=mse.item(), act=act_reg.item(), gnorm=gnorm.item())
        if (step + 1) % args.log_every == 0:
            stats = meter.flush()
            print(step + 1, " ".join(f"{k}={v:.4f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
