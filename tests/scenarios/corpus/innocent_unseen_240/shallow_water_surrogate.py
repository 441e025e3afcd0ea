# gradwatch-corpus: kind=none
"""Truncated BPTT for a convolutional surrogate of the rotating shallow water
equations; the surrogate's own prediction is carried from window to window."""
from collections import deque, namedtuple

import torch
import torch.nn.functional as fn

torch.manual_seed(2)
State = namedtuple("State", "h u v")

GRID = 16
G = 1.0
CORIOLIS = 0.5
DT = 0.02


def grad_x(f):
    return 0.5 * (f.roll(-1, -1) - f.roll(1, -1))


def grad_y(f):
    return 0.5 * (f.roll(-1, -2) - f.roll(1, -2))


def smooth(f, nu=0.05):
    lap = f.roll(1, -1) + f.roll(-1, -1) + f.roll(1, -2) + f.roll(-1, -2) - 4.0 * f
    return f + nu * lap


def solver(s, sub=4):
    h, u, v = s
    for _ in range(sub):
        u = smooth(u + DT * (CORIOLIS * v - G * grad_x(h)))
        v = smooth(v + DT * (-CORIOLIS * u - G * grad_y(h)))
        h = smooth(h - DT * (grad_x((1.0 + h) * u) + grad_y((1.0 + h) * v)))
    return State(h, u, v)


def pack(s):
    return torch.stack(s, dim=1)


def unpack(t):
    return State(*t.unbind(1))


def initial(batch):
    y, x = torch.meshgrid(torch.arange(GRID), torch.arange(GRID), indexing="ij")
    c = torch.randint(4, GRID - 4, (batch, 2, 1, 1))
    bump = torch.exp(-((x - c[:, 0]) ** 2 + (y - c[:, 1]) ** 2) / 8.0)
    zero = torch.zeros_like(bump)
    return State(0.5 * bump, zero, zero.clone())


def kernel(o, i, k, gain=1.0):
    return (gain * torch.randn(o, i, k, k) / (i * k * k) ** 0.5).requires_grad_()


theta = {
    "k1": kernel(16, 3, 3),
    "b1": torch.zeros(16, requires_grad=True),
    "k2": kernel(16, 16, 3),
    "b2": torch.zeros(16, requires_grad=True),
    "k3": kernel(3, 16, 1, gain=0.1),
}


def conv(x, k, b=None):
    r = k.shape[-1] // 2
    return fn.conv2d(fn.pad(x, (r, r, r, r), mode="circular"), k, b)


def surrogate(t):
    h = fn.gelu(conv(t, theta["k1"], theta["b1"]))
    h = fn.gelu(conv(h, theta["k2"], theta["b2"]))
    return t + conv(h, theta["k3"])


opt = torch.optim.Adam(theta.values(), lr=2e-3)
truth = initial(8)
carried = pack(truth)
recent = deque(maxlen=3)

for window in range(100):
    cost = torch.zeros(())
    guess = carried
    for _ in range(4):
        with torch.no_grad():
            truth = solver(truth)
        guess = surrogate(guess)
        cost = cost + fn.mse_loss(guess, pack(truth))
    opt.zero_grad()
    cost.backward()
    torch.nn.utils.clip_grad_norm_(theta.values(), 0.5)
    opt.step()
    carried = guess.detach()
    recent.append(carried)
    if window % 10 == 9:
        truth = initial(8)
        carried = pack(truth)
    if window % 20 == 0:
        spread = torch.stack(list(recent)).std().item()
        mass = unpack(recent[-1]).h.mean().item()
        print(f"window {window:3d} cost {cost.item():.4f} spread {spread:.3f} mean depth {mass:+.4f}")
