# gradwatch-corpus: kind=none
"""Aspheric lens coefficients fitted to ray bundles with L-BFGS; a ring of recent wavefronts."""
import torch

torch.set_num_threads(1)
torch.manual_seed(70)

SLOTS = 5
ring = [None] * SLOTS
TARGET = torch.tensor([0.8, -0.12, 0.05, -0.02])


def sag(coef, r):
    powers = torch.stack([r ** 2, r ** 4, r ** 6, r ** 8], -1)
    return torch.tanh(powers @ coef)


def bundle(n=30):
    r = torch.rand(n)
    return r, sag(TARGET, r) + 0.01 * torch.randn(n)


class Bench:
    def __init__(self):
        self.coef = torch.nn.Parameter(torch.zeros(4))
        self.tilt = torch.nn.Parameter(torch.zeros(()))
        self.opt = torch.optim.LBFGS([self.coef, self.tilt], lr=0.2, max_iter=2, history_size=4)

    def wavefront(self, r, meas):
        return sag(self.coef, r) + self.tilt * r - meas

    def polish(self, r, meas):
        def closure():
            self.opt.zero_grad()
            cost = self.wavefront(r, meas).square().mean() + 1e-3 * self.coef.square().sum()
            cost.backward()
            return cost

        return self.opt.step(closure)


def stability():
    filled = [w for w in ring if w is not None]
    return torch.stack([w.square().mean().sqrt() for w in filled]).std().item() if len(filled) > 1 else 0.0


bench = Bench()
log = []
for shot in range(600):
    r, meas = bundle()
    first_cost = bench.polish(r, meas)
    if shot % 3 == 0:
        ring[(shot // 3) % SLOTS] = bench.wavefront(r, meas)
    if shot % 60 == 59:
        log.append((shot + 1, first_cost.item(), stability()))

for shot, cost, wobble in log[::3]:
    print(f"{shot:4d} cost {cost:.5f} wobble {wobble:.5f}")
