# gradwatch-corpus: kind=graph-held
# holder: hot_spots | hot_spots["res"]
# first-bad: 1
# physics informed net: cooling metal rod, u_t = a * u_xx, ends held at zero
import math
import random

import torch

torch.manual_seed(314)
random.seed(314)

ALPHA = 0.15
N_INSIDE = 64
N_EDGE = 24
STEPS = 100
RESAMPLE = 16

net = torch.nn.Sequential(
    torch.nn.Linear(2, 28),
    torch.nn.Tanh(),
    torch.nn.Linear(28, 28),
    torch.nn.Tanh(),
    torch.nn.Linear(28, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)

hot_spots = {"x": [], "t": [], "res": []}
weights = {"pde": 1.0, "edge": 5.0, "start": 5.0}


def u(x, t):
    return net(torch.stack([x, t], dim=1)).squeeze(1)


def grad_of(y, wrt):
    return torch.autograd.grad(y.sum(), wrt, create_graph=True)[0]


def heat_residual(x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    val = u(x, t)
    u_t = grad_of(val, t)
    u_x = grad_of(val, x)
    u_xx = grad_of(u_x, x)
    return u_t - ALPHA * u_xx


def pick_points():
    x = torch.rand(N_INSIDE)
    t = torch.rand(N_INSIDE)
    if len(hot_spots["x"]) >= RESAMPLE:
        order = sorted(range(len(hot_spots["x"])), key=lambda i: -abs(hot_spots["res"][i].item()))
        for slot, i in enumerate(order[:RESAMPLE]):
            x[slot] = hot_spots["x"][i] + 0.02 * random.uniform(-1, 1)
            t[slot] = hot_spots["t"][i] + 0.02 * random.uniform(-1, 1)
    return x.clamp(0, 1), t.clamp(0, 1)


def note_worst(x, t, res):
    worst = int(res.detach().abs().argmax())
    hot_spots["x"].append(x[worst].item())
    hot_spots["t"].append(t[worst].item())
    hot_spots["res"].append(res[worst])  # <- culprit


def edges():
    t = torch.rand(N_EDGE)
    left = u(torch.zeros(N_EDGE), t)
    right = u(torch.ones(N_EDGE), t)
    return (left ** 2).mean() + (right ** 2).mean()


def start():
    x = torch.rand(N_EDGE)
    return ((u(x, torch.zeros(N_EDGE)) - torch.sin(math.pi * x)) ** 2).mean()


for step in range(STEPS):
    x, t = pick_points()
    res = heat_residual(x, t)
    parts = {
        "pde": (res ** 2).mean(),
        "edge": edges(),
        "start": start(),
    }
    loss = sum(weights[k] * v for k, v in parts.items())
    opt.zero_grad()
    loss.backward()
    opt.step()
    note_worst(x, t, res)

    if step % 20 == 0:
        line = "  ".join(f"{k} {v.item():.4f}" for k, v in parts.items())
        print(f"step {step:3d}  {line}  worst {hot_spots['res'][-1].item():+.3f}")

with torch.no_grad():
    xs = torch.linspace(0, 1, 9)
    exact = torch.sin(math.pi * xs) * math.exp(-ALPHA * math.pi ** 2 * 0.5)
    guess = u(xs, torch.full_like(xs, 0.5))
print("rod at t=0.5, biggest gap:", round(float((exact - guess).abs().max()), 4))
