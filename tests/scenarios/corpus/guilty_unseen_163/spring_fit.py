# gradwatch-corpus: kind=graph-chain
# holder: self.pos | self.vel | sim.pos | sim.vel
# first-bad: 1
"""Fit stiffness and damping of a mass-spring chain to a measured trajectory.
"""
import time

import torch

torch.set_num_threads(1)
torch.manual_seed(3)

N_MASS = 12
DT = 0.02
SUBSTEPS = 4


class SpringChain:
    """Masses on a line, both ends pinned to walls, semi implicit Euler."""

    def __init__(self, k, c, x0):
        self.k = k
        self.c = c
        self.rest = torch.linspace(0.0, 1.0, N_MASS)
        self.pos = x0.clone()
        self.vel = torch.zeros(N_MASS)

    def force(self, pos, vel):
        u = pos - self.rest
        left = torch.cat([torch.zeros(1), u[:-1]])
        right = torch.cat([u[1:], torch.zeros(1)])
        return self.k * (left - 2 * u + right) - self.c * vel

    def advance(self, n):
        pos, vel = self.pos, self.vel
        for _ in range(n):
            vel = vel + DT * self.force(pos, vel)
            pos = pos + DT * vel
        self.pos = pos  # <- culprit
        self.vel = vel  # <- culprit
        return pos


def measure(x0, n_frames):
    truth = SpringChain(torch.tensor(9.0), torch.tensor(0.6), x0)
    frames = []
    with torch.no_grad():
        for _ in range(n_frames):
            frames.append(truth.advance(SUBSTEPS).clone())
    return torch.stack(frames) + 0.002 * torch.randn(n_frames, N_MASS)


def main():
    n_frames = 90
    x0 = torch.linspace(0.0, 1.0, N_MASS)
    x0[4] += 0.2
    x0[9] -= 0.15
    data = measure(x0, n_frames)

    k = torch.tensor(6.0, requires_grad=True)
    c = torch.tensor(0.3, requires_grad=True)
    sim = SpringChain(k, c, x0)
    lr = 0.5

    started = time.time()
    for t in range(n_frames):
        pred = sim.advance(SUBSTEPS)
        loss = ((pred - data[t]) ** 2).sum()
        loss.backward(retain_graph=True)
        for p in (k, c):
            p.data -= lr * p.grad.clamp(-1, 1)
            p.grad = None
        if t % 15 == 0:
            print(f"frame {t:3d} loss {loss.item():.5f} k {k.item():.3f} "
                  f"c {c.item():.3f} {time.time() - started:.2f}s")


if __name__ == "__main__":
    main()
