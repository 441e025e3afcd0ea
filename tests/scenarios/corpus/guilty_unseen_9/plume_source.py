# gradwatch-corpus: kind=graph-chain
# holder: air.conc | plume.conc | self.conc
# first-bad: 1
"""Where does the smell come from? On-line source estimation: an advection-diffusion field runs along with the sensors and the emission map is
corrected after each reading."""
import argparse
import contextlib
import time

import torch
import torch.nn.functional as F


class Plume:
    __slots__ = ("conc", "stencil", "emit", "dt", "wind")

    def __init__(self, side, dt=0.15, wind=(0.5, 0.2)):
        self.conc = torch.zeros(1, 1, side, side)
        self.emit = torch.zeros(1, 1, side, side)
        self.dt, self.wind = dt, wind
        lap = torch.tensor([[0., 1, 0], [1, -4, 1], [0, 1, 0]])
        adv = torch.zeros(3, 3)
        adv[1, 0], adv[1, 1] = wind[0], -wind[0] - wind[1]
        adv[0, 1] = wind[1]
        self.stencil = (0.4 * lap + adv)[None, None]

    def evolve(self, emit):
        flow = F.conv2d(self.conc, self.stencil, padding=1)
        self.conc = self.conc + self.dt * flow + emit  # <- culprit
        return self.conc


class Sensors:
    def __init__(self, side, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.row = torch.randint(2, side - 2, (n,), generator=g)
        self.col = torch.randint(2, side - 2, (n,), generator=g)
        self.g = g

    def read(self, conc, noise=0.0):
        v = conc[0, 0, self.row, self.col]
        return v + noise * torch.randn(v.shape, generator=self.g) if noise else v


@contextlib.contextmanager
def clock(label):
    t = time.perf_counter()
    yield
    print(f"{label}: {time.perf_counter() - t:.1f}s")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--side", type=int, default=16)
    p.add_argument("--readings", type=int, default=300)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(2)

    truth, air = Plume(a.side), Plume(a.side)
    truth.emit[0, 0, 5, 4] = 0.2
    truth.emit[0, 0, 10, 9] = 0.1
    net = Sensors(a.side, 40, seed=8)
    guess = torch.full((1, 1, a.side, a.side), 1e-3, requires_grad=True)
    opt = torch.optim.SGD([guess], lr=a.lr, momentum=0.5)

    with clock("total"):
        for k in range(a.readings):
            with torch.no_grad():
                seen = net.read(truth.evolve(truth.emit), noise=0.01)
            gap = net.read(air.evolve(guess)) - seen
            cost = gap.pow(2).mean() + 1e-3 * guess.abs().mean()
            opt.zero_grad()
            cost.backward(retain_graph=True)
            torch.nn.utils.clip_grad_value_([guess], 1.0)
            opt.step()
            with torch.no_grad():
                guess.clamp_(min=0)
            if k % 50 == 0:
                top = guess.detach().flatten().topk(2).indices
                print(f"{k:4d} cost {cost.item():.5f} strongest at "
                      + ", ".join(f"({int(i) // a.side},{int(i) % a.side})" for i in top))


if __name__ == "__main__":
    main()
