# gradwatch-corpus: kind=none
"""Depth to basement of a sedimentary basin from a Bouguer profile (stacked slabs, density contrast falling with depth),
L-BFGS with a growing data set: each campaign adds stations."""
import math

import torch

torch.manual_seed(77)
torch.set_default_dtype(torch.float64)

G = 6.674e-11
CELLS = 40
WIDTH = 500.0
SLABS = 12
ROUNDS = 220

centers = (torch.arange(CELLS) + 0.5) * WIDTH
true_depth = 300 + 1800 * torch.exp(-((centers - 9000) / 4000) ** 2) + 500 * torch.exp(-((centers - 15000) / 1500) ** 2)


def anomaly(depth, stations):
    """Vertical attraction (mGal) of prisms cut into thin horizontal sheets."""
    layer = (torch.arange(SLABS) + 0.5) / SLABS
    z = depth.unsqueeze(1) * layer
    thickness = (depth / SLABS).unsqueeze(1)
    contrast = -400.0 / (1 + z / 3000.0) ** 2
    left = (stations.unsqueeze(1) - (centers - WIDTH / 2)).unsqueeze(2)
    right = (stations.unsqueeze(1) - (centers + WIDTH / 2)).unsqueeze(2)
    angle = torch.atan(left / z) - torch.atan(right / z)
    return 2 * G * (contrast * thickness * angle).sum((1, 2)) * 1e5


campaigns = []
for k in range(4):
    x = torch.rand(15) * CELLS * WIDTH
    with torch.no_grad():
        g = anomaly(true_depth, x) + 0.1 * torch.randn(15)
    campaigns.append((x, g))

log_depth = torch.full((CELLS,), math.log(800.0), requires_grad=True)
offset = torch.zeros((), requires_grad=True)


def new_optimizer():
    return torch.optim.LBFGS(
        [log_depth, offset], lr=0.5, max_iter=2, history_size=8, tolerance_grad=1e-10, tolerance_change=1e-14
    )


optimizer = new_optimizer()
latest = {}
best = (math.inf, None)
curve = []
used = 1

for round_ in range(ROUNDS):
    if round_ and round_ % 55 == 0 and used < len(campaigns):
        used += 1
        optimizer = new_optimizer()
        best = (math.inf, None)
    x = torch.cat([c[0] for c in campaigns[:used]])
    g = torch.cat([c[1] for c in campaigns[:used]])

    def closure():
        optimizer.zero_grad()
        depth = log_depth.exp()
        predicted = anomaly(depth, x) + offset
        misfit = ((predicted - g) / 0.1).pow(2).mean()
        rough = (log_depth[2:] - 2 * log_depth[1:-1] + log_depth[:-2]).pow(2).sum()
        loss = misfit + 5.0 * rough
        loss.backward()
        latest["predicted"] = predicted
        latest["misfit"] = misfit
        latest["depth"] = depth
        return loss

    value = optimizer.step(closure)
    curve.append(value.item())
    if curve[-1] < best[0]:
        best = (curve[-1], log_depth.detach().exp())
    if round_ % 55 == 54:
        residual = (latest["predicted"].detach() - g).abs().max().item()
        print(f"round {round_ + 1:4d}  stations {len(x):3d}  misfit {latest['misfit'].item():8.3f}  "
              f"largest residual {residual:.3f} mGal")

error = (best[1] - true_depth).abs()
print(f"depth error: median {error.median().item():.0f} m, largest {error.max().item():.0f} m")
print(f"loss {curve[0]:.1f} -> {curve[-1]:.3f}")
