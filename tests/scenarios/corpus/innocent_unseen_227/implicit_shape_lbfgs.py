# gradwatch-corpus: kind=none
# %% Fit a signed distance field: eikonal term, L-BFGS closures
import torch
import torch.nn as nn

torch.manual_seed(36)


class Sine(nn.Module):
    def __init__(self, w0):
        super().__init__()
        self.w0 = w0

    def forward(self, x):
        return torch.sin(self.w0 * x)


sdf = nn.Sequential(nn.Linear(2, 32), Sine(3.0), nn.Linear(32, 32), Sine(1.0), nn.Linear(32, 1))
opt = torch.optim.LBFGS(sdf.parameters(), lr=0.3, max_iter=3, history_size=6)

# %% sampling
angle = torch.rand(200) * 6.2832
radius = 0.6 + 0.15 * torch.cos(3 * angle)
surface = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)


def losses(free):
    on = sdf(surface).abs().mean()
    free = free.requires_grad_(True)
    d = sdf(free)
    normal, = torch.autograd.grad(d, free, torch.ones_like(d), create_graph=True)
    eik = (normal.norm(dim=1) - 1).pow(2).mean()
    off = torch.exp(-20 * d.abs()).mean()
    return on, eik, off


# %% optimisation
evals = 0
last = {}
for outer in range(60):
    pts = torch.rand(128, 2) * 2 - 1

    def closure():
        global evals
        evals += 1
        opt.zero_grad()
        on, eik, off = losses(pts)
        total = 10 * on + eik + 0.1 * off
        total.backward()
        last["on"] = on
        last["eik"] = eik
        return total

    value = opt.step(closure)
    if outer % 12 == 11:
        print(outer + 1, evals, value.item(), last["on"].item(), last["eik"].item())

# %% picture
with torch.no_grad():
    g = torch.linspace(-1, 1, 17)
    grid = torch.stack(torch.meshgrid(g, g, indexing="ij"), dim=-1)
    inside = sdf(grid.view(-1, 2)).view(17, 17)
for row in inside.sign().int().tolist():
    print("".join("#" if v < 0 else "." for v in row))
