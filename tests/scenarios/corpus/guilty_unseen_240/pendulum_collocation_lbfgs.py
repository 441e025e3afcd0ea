# gradwatch-corpus: kind=graph-held
# holder: trace["defect"] | trace
# first-bad: 1
"""Swing-up of a damped pendulum by direct collocation.

The control is a sine series, the state a free trajectory; the defects enter
through an augmented Lagrangian whose inner problem goes to LBFGS.
"""
import math
from collections import defaultdict
from functools import partial

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)

HORIZON = 3.0
KNOTS = 50
MODES = 10
h = HORIZON / (KNOTS - 1)
tau = torch.linspace(0.0, 1.0, KNOTS)
basis = torch.stack([torch.sin(math.pi * (k + 1) * tau) for k in range(MODES)], dim=-1)


def dynamics(x, u, damping=0.1, g=9.81):
    th, om = x.unbind(-1)
    return torch.stack([om, -g * torch.sin(th) - damping * om + u], dim=-1)


def defects(x, u):
    f = dynamics(x, u)
    return x[1:] - x[:-1] - 0.5 * h * (f[1:] + f[:-1])


def boundary(x):
    start = x[0]
    end = x[-1] - torch.tensor([math.pi, 0.0])
    return torch.cat([start, end])


def effort(u):
    return h * (u ** 2).sum() * 1e-2


def lagrangian(x, c, lam, mu, rho):
    u = basis @ c
    d = defects(x, u)
    b = boundary(x)
    dual = (lam * d).sum() + (mu * b).sum()
    return effort(u) + dual + 0.5 * rho * ((d ** 2).sum() + (b ** 2).sum()), d, b


def guess():
    x = torch.zeros(KNOTS, 2)
    x[:, 0] = math.pi * tau
    x[:, 1] = math.pi / HORIZON
    return x


def closure(opt, x, c, lam, mu, rho, trace):
    opt.zero_grad()
    value, d, b = lagrangian(x, c, lam, mu, rho)
    value.backward()
    trace["value"].append(value.item())
    trace["defect"].append(d.abs().amax())  # <- culprit
    return value


x = guess().requires_grad_()
c = torch.zeros(MODES, requires_grad=True)
lam = torch.zeros(KNOTS - 1, 2)
mu = torch.zeros(4)
rho = 20.0
trace = defaultdict(list)

for outer in range(60):
    opt = torch.optim.LBFGS([x, c], lr=0.8, max_iter=6, history_size=8, line_search_fn="strong_wolfe")
    opt.step(partial(closure, opt, x, c, lam, mu, rho, trace))
    with torch.no_grad():
        _, d, b = lagrangian(x, c, lam, mu, rho)
        lam = lam + rho * d
        mu = mu + rho * b
        if outer % 15 == 14:
            rho = min(2.0 * rho, 200.0)
    if outer % 10 == 0:
        print(f"outer {outer:3d} evals {len(trace['value']):4d} defect {float(d.abs().max()):.2e} end {x[-1].tolist()}")

print("worst defect", max(v.item() for v in trace["defect"][-10:]))
