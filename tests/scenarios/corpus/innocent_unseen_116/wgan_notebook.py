# gradwatch-corpus: kind=none

# %% Wasserstein GAN with gradient penalty on two-dimensional pollen measurements
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)

# %% data: three species
centres = torch.tensor([[1.5, 0.0], [-1.0, 1.2], [-0.8, -1.3]])
data = centres[torch.randint(0, 3, (1500,))] + 0.15 * torch.randn(1500, 2)

# %% networks
G = nn.Sequential(nn.Linear(4, 24), nn.ELU(), nn.Linear(24, 2))
D = nn.Sequential(nn.Linear(2, 24), nn.ELU(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.9))

# %% bookkeeping
d_log, g_log, gp_log = [], [], []
snapshots = []
ema_gap = None
z_fixed = torch.randn(64, 4)

# %% training
for it in range(320):
    real = data[torch.randint(0, len(data), (32,))]
    fake = G(torch.randn(32, 4))

    # critic
    held = fake.detach()
    mix = torch.rand(32, 1)
    between = (mix * real + (1 - mix) * held).requires_grad_(True)
    score = D(between)
    (slope,) = torch.autograd.grad(score.sum(), between, create_graph=True)
    penalty = (slope.norm(dim=1) - 1).pow(2).mean()
    gap = D(held).mean() - D(real).mean()
    d_loss = gap + 10.0 * penalty
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    # generator, every second time, on the same fakes
    if it % 2 == 1:
        g_loss = -D(fake).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        g_log.append(g_loss.item())

    ema_gap = gap.detach() if ema_gap is None else 0.98 * ema_gap + 0.02 * gap.detach()
    d_log.append(d_loss.detach())
    gp_log.append(float(penalty.detach()))

    if it % 20 == 0:
        snapshots.append(G(z_fixed).detach().clone())
    if it % 80 == 79:
        print(it + 1, "critic", round(torch.stack(d_log[-40:]).mean().item(), 4),
              "penalty", round(sum(gp_log[-40:]) / 40, 4), "gap", round(ema_gap.item(), 4))

# %% how far the snapshots moved
for a, b in zip(snapshots, snapshots[4:]):
    print("moved", round((a - b).norm(dim=1).mean().item(), 3))

# %% nearest species of generated points
with torch.no_grad():
    final = G(torch.randn(300, 4))
    nearest = torch.cdist(final, centres).argmin(1)
print("counts per species", torch.bincount(nearest, minlength=3).tolist())
print("generator loss, last:", round(g_log[-1], 4))
