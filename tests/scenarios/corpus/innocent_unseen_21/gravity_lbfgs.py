# gradwatch-corpus: kind=none
"""Gravity inversion for basin depth with L-BFGS. The objective is evaluated several times per step,
everything the closure computes last is put aside for the convergence plot."""
import math

import torch
import torch.nn.functional as F

torch.manual_seed(31)
torch.set_default_dtype(torch.float64)

NX = 40             # prisms
STATIONS = 50
GAMMA = 6.674e-3    # mGal for km and kg/m^3 / 1000
STEPS = 220
SIGMA = 0.05
OUTER = 20          # steps between two changes of the regularisation

x_prism = torch.linspace(0, 40, NX)
x_obs = torch.linspace(-2, 42, STATIONS)
half = 0.5 * (x_prism[1] - x_prism[0])


def log_term(dx, z):
    return dx * torch.log(dx.pow(2) + z.pow(2) + 1e-6) + 2 * z * torch.atan2(dx, z + 1e-6)


def gravity(depth, contrast):
    """Two-dimensional prisms from the surface to `depth`, (NX,) -> (STATIONS,)."""
    dx1 = x_prism[None, :] - half - x_obs[:, None]
    dx2 = x_prism[None, :] + half - x_obs[:, None]
    z = depth[None, :]
    top = torch.full_like(z, 1e-3)
    col = (log_term(dx2, z) - log_term(dx1, z)) - (log_term(dx2, top) - log_term(dx1, top))
    return GAMMA * contrast * 1000 * col.sum(1)


true_depth = 1.0 + 1.5 * torch.exp(-((x_prism - 15) / 7) ** 2) + 0.8 * torch.exp(-((x_prism - 30) / 4) ** 2)
observed = gravity(true_depth, torch.tensor(0.4))
observed = observed + SIGMA * torch.randn(STATIONS)

raw = torch.full((NX,), 0.5, requires_grad=True)
raw_contrast = torch.tensor(math.log(0.35), requires_grad=True)
opt = torch.optim.LBFGS([raw, raw_contrast], lr=0.5, max_iter=4, history_size=6, line_search_fn=None)

last = {}
curve = []
evaluations = 0
previous = raw.detach().clone()
beta = 0.5


def closure():
    global evaluations
    evaluations += 1
    opt.zero_grad()
    depth = F.softplus(raw)
    misfit = ((gravity(depth, raw_contrast.exp()) - observed) / SIGMA).pow(2).mean()
    rough = (depth[1:] - depth[:-1]).pow(2).sum()
    prior = (raw_contrast - math.log(0.4)).pow(2) / 0.02
    loss = misfit + beta * rough + prior
    loss.backward()
    last["misfit"] = misfit.detach()
    last["rough"] = rough.detach()
    last["depth"] = depth.detach()
    return loss.detach()


for step in range(STEPS):
    if step and step % OUTER == 0:
        beta = max(0.02, beta * 0.7)
        opt.state.clear()
    loss = opt.step(closure)
    moved = (raw.detach() - previous).norm().item()
    previous.copy_(raw.detach())
    curve.append((loss.item(), last["misfit"].item(), last["rough"].item(), moved))
    if step % 55 == 0:
        print(f"{step:4d}  loss {loss.item():9.3f}  misfit {curve[-1][1]:9.3f}  beta {beta:.3f}  |dm| {moved:.2e}")

rms = (last["depth"] - true_depth).pow(2).mean().sqrt().item()
print(f"{evaluations} evaluations, rms depth error {rms:.3f} km, contrast {raw_contrast.exp().item():.3f}")
