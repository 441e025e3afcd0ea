# gradwatch-corpus: kind=second-backward
# first-bad: 40
"""Grasp network with three heads (quality, angle, width); conflict between tasks is probed now and then."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

from probes import ConflictProbe, Throughput


class GraspNet(nn.Module):
    def __init__(self, d_in=20, d=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU())
        self.heads = nn.ModuleDict({
            "quality": nn.Linear(d, 1),
            "angle": nn.Linear(d, 2),
            "width": nn.Linear(d, 1),
        })

    def forward(self, x):
        z = self.trunk(x)
        return {k: h(z) for k, h in self.heads.items()}


class GraspData:
    def __init__(self, d_in=20):
        self.w = torch.randn(d_in, 3) / d_in ** 0.5

    def batch(self, n):
        x = torch.randn(n, self.w.size(0))
        s = x @ self.w
        ang = s[:, 1]
        return x, {
            "quality": (s[:, :1] > 0).float(),
            "angle": torch.stack([ang.sin(), ang.cos()], -1),
            "width": s[:, 2:].abs(),
        }


def task_losses(out, tgt):
    return {
        "quality": F.binary_cross_entropy_with_logits(out["quality"], tgt["quality"]),
        "angle": F.mse_loss(out["angle"], tgt["angle"]),
        "width": F.smooth_l1_loss(out["width"], tgt["width"]),
    }


class Loop:
    def __init__(self, net, data, probes, lr):
        self.net, self.data, self.probes = net, data, probes
        self.log_sigma = nn.ParameterDict({k: nn.Parameter(torch.zeros(())) for k in net.heads})
        self.opt = torch.optim.Adam([*net.parameters(), *self.log_sigma.parameters()], lr=lr)

    def combine(self, losses):
        return sum(l * torch.exp(-self.log_sigma[k]) + self.log_sigma[k] for k, l in losses.items())

    def run(self, steps):
        for step in range(steps):
            x, tgt = self.data.batch(64)
            losses = task_losses(self.net(x), tgt)
            total = self.combine(losses)
            for p in self.probes:
                p.before_backward(step, losses)
            self.opt.zero_grad()
            total.backward()
            self.opt.step()
            if step % 20 == 0:
                print(step, {k: round(v.item(), 4) for k, v in losses.items()})


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--probe-every", type=int, default=40)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(14)
    torch.set_num_threads(1)
    net = GraspNet()
    probes = [Throughput(64), ConflictProbe(net.trunk, args.probe_every)]
    Loop(net, GraspData(), probes, args.lr).run(args.steps)


if __name__ == "__main__":
    main()
