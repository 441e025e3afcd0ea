# gradwatch-corpus: kind=none
# Fit a neural ODE to predator/prey field counts. Each sweep over the sites rolls the
# integrator forward from every site's start and makes one update from all of them.
import math

import torch
import torch.nn as nn

torch.manual_seed(13)
torch.set_num_threads(1)
WARMUP = 220

SITES, STEPS, DT = 4, 8, 0.12


def lotka(s):
    x, y = s[..., 0], s[..., 1]
    return torch.stack([1.1 * x - 0.6 * x * y, 0.5 * x * y - 0.9 * y], dim=-1)


def rk4(f, s, dt):
    k1 = f(s)
    k2 = f(s + dt / 2 * k1)
    k3 = f(s + dt / 2 * k2)
    k4 = f(s + dt * k3)
    return s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def euler(f, s, dt):
    return s + dt * f(s)


def rollout(f, s0, n, stepper):
    path = [s0]
    for _ in range(n):
        path.append(stepper(f, path[-1], DT))
    return torch.stack(path)


class Dynamics(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Softplus(), nn.Linear(width, 2))
        self.growth = nn.Parameter(torch.zeros(2))

    def forward(self, s):
        return self.growth * s + 0.3 * self.net(s)


class SiteData:
    def __init__(self):
        self.start = 0.5 + 1.5 * torch.rand(SITES, 2)
        with torch.no_grad():
            self.path = rollout(lotka, self.start, 2 * STEPS, rk4)

    def window(self, site):
        o = int(torch.randint(0, STEPS, (1,)))
        seg = self.path[o:o + STEPS + 1, site]
        return seg[0], seg + 0.02 * torch.randn_like(seg)


data, model = SiteData(), Dynamics()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=320)
epoch_means, epoch_worst = [], []

for epoch in range(320):
    stepper = euler if epoch < WARMUP else rk4  # cheap integrator while far from the data
    site_losses = []
    trajectories = {}
    for site in range(SITES):
        s0, observed = data.window(site)
        predicted = rollout(model, s0, STEPS, stepper)
        trajectories[site] = predicted
        site_losses.append((predicted - observed).square().mean())

    stacked = torch.stack(site_losses)
    loss = stacked.mean() + 0.1 * stacked.max()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()

    epoch_means.append(stacked.mean().item())
    epoch_worst.append(stacked.max().item())
    if epoch % 80 == 0 or epoch == 319:
        with torch.no_grad():
            full = rollout(model, data.start, 2 * STEPS, rk4)
            test = (full - data.path).square().mean().sqrt().item()
        span = max(float(t.detach().max()) for t in trajectories.values())
        print(f"epoch {epoch:3d} mean {epoch_means[-1]:.4f} worst {epoch_worst[-1]:.4f} "
              f"max count {span:.2f} full-path rmse {test:.4f}")

assert not math.isnan(epoch_means[-1])
