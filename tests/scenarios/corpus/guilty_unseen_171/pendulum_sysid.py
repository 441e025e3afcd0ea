# gradwatch-corpus: kind=graph-chain
# holder: self.theta | self.omega | rig.theta | rig.omega
# first-bad: 1
"""Identify damping and drive gain of a driven pendulum on the test bench, online: each tick we
get encoder readings for a short burst, and nudge the parameters of the simulated twin."""
import math

import torch

torch.manual_seed(4)

DT = 0.02
BURST = 2


class Bench:
    """Stands in for the hardware: the true pendulum, with encoder noise."""

    def __init__(self, damping=0.35, gain=1.4):
        self.damping, self.gain = damping, gain
        self.theta, self.omega, self.clock = 0.3, 0.0, 0.0

    def drive(self):
        return math.sin(1.7 * self.clock) + 0.4 * math.sin(0.6 * self.clock)

    def burst(self, n):
        drives, angles = [], []
        for _ in range(n):
            u = self.drive()
            acc = -9.81 * math.sin(self.theta) - self.damping * self.omega + self.gain * u
            self.omega += DT * acc
            self.theta += DT * self.omega
            self.clock += DT
            drives.append(u)
            angles.append(self.theta)
        noise = 0.002 * torch.randn(n)
        return torch.tensor(drives), torch.tensor(angles) + noise


class Twin:
    """Simulated copy with learnable coefficients. Runs alongside the bench."""

    def __init__(self):
        self.log_damping = torch.tensor(-2.0, requires_grad=True)
        self.gain = torch.tensor(0.8, requires_grad=True)
        self.theta = torch.tensor(0.3)
        self.omega = torch.tensor(0.0)
        self.measured = torch.tensor(0.3)
        self.coupling = 0.3

    def params(self):
        return [self.log_damping, self.gain]

    def simulate(self, drives):
        damping = self.log_damping.exp()
        om = self.omega
        th = self.theta + self.coupling * (self.measured - self.theta)   # observer correction
        track = []
        for u in drives:
            acc = -9.81 * torch.sin(th) - damping * om + self.gain * u
            om = om + DT * acc
            th = th + DT * om
            track.append(th)
        self.theta = th  # <- culprit
        self.omega = om  # <- culprit
        return torch.stack(track)


def run(ticks=400):
    bench = Bench()
    rig = Twin()
    opt = torch.optim.SGD(rig.params(), lr=0.05)
    err = 0.0
    for tick in range(ticks):
        drives, angles = bench.burst(BURST)
        track = rig.simulate(drives)
        loss = ((track - angles) ** 2).mean() * 100
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_value_(rig.params(), 0.5)
        opt.step()
        rig.measured = angles[-1]
        err = 0.95 * err + 0.05 * loss.item()
        if tick % 40 == 0:
            print(f"tick {tick:4d}  residual {err:.5f}  "
                  f"damping {rig.log_damping.exp().item():.3f}  gain {rig.gain.item():.3f}")
    return rig


if __name__ == "__main__":
    twin = run()
    print("identified:", [round(p.item(), 4) for p in twin.params()])
