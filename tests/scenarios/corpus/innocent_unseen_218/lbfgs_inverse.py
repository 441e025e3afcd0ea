# gradwatch-corpus: kind=none
"""Recover source positions in a heat equation from sensors; LBFGS over the inputs, warm-started over frames."""
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(12)
torch.set_default_dtype(torch.float64)

n, steps, nu = 24, 16, 0.2
grid = torch.linspace(0, 1, n)
gy, gx = torch.meshgrid(grid, grid, indexing="ij")
sensors = torch.randint(0, n, (30, 2))
stencil = torch.tensor([[0., 1, 0], [1, -4, 1], [0, 1, 0]])[None, None]


def bump(params):
    x, y, amp = params.unbind(-1)
    d2 = (gx - x[:, None, None]) ** 2 + (gy - y[:, None, None]) ** 2
    return (amp[:, None, None] * torch.exp(-d2 / 0.01)).sum(0)


def block(u, k):
    for _ in range(k):
        u = u + nu * F.conv2d(F.pad(u[None, None], (1, 1, 1, 1), mode="replicate"), stencil)[0, 0]
    return u


def measure(params):
    u = bump(params)
    for _ in range(steps // 4):
        u = checkpoint(block, u, 4, use_reentrant=False)
    return u[sensors[:, 0], sensors[:, 1]]


truth = torch.tensor([[0.3, 0.3, 1.0], [0.7, 0.6, 1.5]])
estimate = torch.tensor([[0.4, 0.4, 0.8], [0.6, 0.5, 0.8]])
track = []

for frame in range(60):
    truth = truth + torch.tensor([[0.003, 0.004, 0.0], [-0.004, 0.002, 0.0]])
    with torch.no_grad():
        obs = measure(truth) + 1e-3 * torch.randn(len(sensors))

    theta = estimate.clone().requires_grad_(True)
    prior = estimate
    opt = torch.optim.LBFGS([theta], lr=0.8, max_iter=6, history_size=8, line_search_fn="strong_wolfe")
    evals = []

    def closure():
        opt.zero_grad()
        misfit = 0.5 * (measure(theta) - obs).pow(2).sum()
        loss = misfit + 1e-3 * (theta - prior).pow(2).sum()
        loss.backward()
        evals.append(loss.item())
        return loss

    first = opt.step(closure)
    estimate = theta.detach()
    track.append(estimate)
    if frame % 15 == 14:
        print(frame, len(evals), "%.2e -> %.2e" % (first.item(), evals[-1]),
              "err %.3f" % (estimate - truth)[:, :2].abs().max().item())

path = torch.stack(track)
print(path.shape, path[-1].tolist())
