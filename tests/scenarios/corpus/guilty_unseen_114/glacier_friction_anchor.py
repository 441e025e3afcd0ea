# gradwatch-corpus: kind=graph-chain
# holder: self.slow | self.slow[k] | anchor.slow | anchor.slow["drag"]
# first-bad: 1
# notice: 5
# Basal friction inversion for a toy glacier flowline.
#
# Surface speed along the flowline is modelled as driving stress / drag, with the
# log-drag free at every node. The inversion is ill posed, so the drag is pulled
# towards a slowly moving copy of itself (proximal smoothing).

import math

import torch

torch.set_num_threads(1)
torch.manual_seed(1979)

NODES = 64
STEPS = 320
PULL = 0.4
TAU = 0.02


class SlowCopy:
    """Exponentially smoothed companion of a set of named parameters."""

    def __init__(self, named, tau):
        self.tau = tau
        self.slow = {k: p.detach().clone() for k, p in named.items()}

    def penalty(self, named):
        return sum(((p - self.slow[k]) ** 2).mean() for k, p in named.items())

    def follow(self, named):
        for k, p in named.items():
            self.slow[k] = torch.lerp(self.slow[k], p, self.tau)  # <- culprit


def driving_stress(x):
    thickness = 300 * torch.sqrt((1 - x).clamp_min(0.02))
    slope = 0.03 + 0.04 * x
    return 917 * 9.81 * thickness * slope / 1e5


def true_log_drag(x):
    return 0.6 * torch.sin(2 * math.pi * 2 * x) + 0.3 * torch.cos(2 * math.pi * 5 * x)


x = torch.linspace(0, 1, NODES)
tau_d = driving_stress(x)
truth = tau_d * torch.exp(-true_log_drag(x))

params = {
    "drag": torch.zeros(NODES, requires_grad=True),
    "offset": torch.zeros(1, requires_grad=True),
}
anchor = SlowCopy(params, TAU)
opt = torch.optim.RMSprop(params.values(), lr=3e-3)

gen = torch.Generator().manual_seed(8)
print(" step   data misfit   proximal    rms drag error")
for step in range(STEPS):
    stakes = torch.randperm(NODES, generator=gen)[:24]
    measured = truth[stakes] * (1 + 0.03 * torch.randn(24, generator=gen))

    speed = tau_d * torch.exp(-params["drag"]) + params["offset"]
    data_term = ((speed[stakes] - measured) ** 2).mean()
    curvature = (params["drag"][2:] - 2 * params["drag"][1:-1] + params["drag"][:-2]).pow(2).mean()
    prox = anchor.penalty(params)

    loss = data_term + 0.5 * curvature + PULL * prox
    opt.zero_grad()
    loss.backward()
    anchor.follow(params)
    opt.step()

    if step % 80 == 0 or step == STEPS - 1:
        with torch.no_grad():
            err = (params["drag"] - true_log_drag(x)).pow(2).mean().sqrt()
        print(f"{step:5d}   {data_term.item():10.5f}  {prox.item():10.6f}   {err.item():8.4f}")
