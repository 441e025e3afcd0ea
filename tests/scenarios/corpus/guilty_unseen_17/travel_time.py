# gradwatch-corpus: kind=graph-held
# holder: snapshots | snapshots[-1] | snapshots[-1][1] | velocity
# first-bad: 1
# notice: 80
"""Crosshole travel-time tomography with straight rays, smoothness and bounds by reparametrisation.
Script for chapter 4; run it as is."""
import math

import torch

torch.manual_seed(1984)
torch.set_default_dtype(torch.float64)

NX, NZ = 20, 30
DX = 1.0
V_MIN, V_MAX = 1.2, 4.5
N_SRC, N_REC, N_SEG = 15, 15, 40
ITERATIONS = 300

# ---- true model: layered background with a slow lens -----------------------
depth = torch.arange(NZ).unsqueeze(1).expand(NZ, NX) / NZ
v_true = 1.8 + 1.8 * depth
zz, xx = torch.meshgrid(torch.arange(NZ), torch.arange(NX), indexing="ij")
lens = ((xx - 11) / 5.0) ** 2 + ((zz - 16) / 3.0) ** 2 < 1
v_true = torch.where(lens, v_true - 0.9, v_true)

# ---- straight-ray matrix ----------------------------------------------------
rays = torch.zeros(N_SRC * N_REC, NZ * NX)
row = 0
for s in range(N_SRC):
    z_s = (s + 0.5) * NZ / N_SRC
    for r in range(N_REC):
        z_r = (r + 0.5) * NZ / N_REC
        length = math.hypot(NX * DX, z_r - z_s)
        t = (torch.arange(N_SEG) + 0.5) / N_SEG
        ix = (t * NX).long().clamp(max=NX - 1)
        iz = (z_s + t * (z_r - z_s)).long().clamp(max=NZ - 1)
        rays[row].index_add_(0, iz * NX + ix, torch.full((N_SEG,), length / N_SEG))
        row += 1

t_obs = rays @ (1.0 / v_true).reshape(-1)
sigma = 0.02 * t_obs.mean()
t_obs = t_obs + sigma * torch.randn_like(t_obs)

# ---- inversion ---------------------------------------------------------------
raw = torch.zeros(NZ, NX, requires_grad=True)
static = torch.zeros(N_SRC, requires_grad=True)
optimizer = torch.optim.Adam([{"params": [raw], "lr": 0.05}, {"params": [static], "lr": 1e-3}])

misfit_curve = []
rough_curve = []
snapshots = []
lam = 0.6

for it in range(ITERATIONS):
    optimizer.zero_grad()

    velocity = V_MIN + (V_MAX - V_MIN) * torch.sigmoid(raw)
    slowness = 1.0 / velocity
    t_pred = rays @ slowness.reshape(-1) + static.repeat_interleave(N_REC)

    misfit = (((t_pred - t_obs) / sigma) ** 2).mean()
    rough_x = (velocity[:, 1:] - velocity[:, :-1]) ** 2
    rough_z = (velocity[1:, :] - velocity[:-1, :]) ** 2
    rough = rough_x.mean() + 0.5 * rough_z.mean()
    objective = misfit + lam * rough + 1e-2 * (static / sigma).pow(2).mean()

    objective.backward()
    optimizer.step()

    misfit_curve.append(misfit.item())
    rough_curve.append(rough.item())
    if it % 10 == 0:
        snapshots.append((it, velocity))  # <- culprit
    if it % 60 == 0:
        lam = max(0.1, 0.8 * lam)
        print(f"it {it:4d}  misfit {misfit_curve[-1]:9.3f}  rough {rough_curve[-1]:.4f}  lambda {lam:.2f}")

# ---- how the lens came up ----------------------------------------------------
print("   it   v(lens)  v(rest)   rms error")
for it, v in snapshots[::5]:
    error = (v - v_true).pow(2).mean().sqrt().item()
    print(f"{it:5d}  {v[lens].mean().item():7.3f}  {v[~lens].mean().item():7.3f}  {error:9.3f}")

print(f"final misfit {misfit_curve[-1]:.3f} after {len(misfit_curve)} iterations")
