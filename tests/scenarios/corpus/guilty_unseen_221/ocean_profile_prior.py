# gradwatch-corpus: kind=second-backward
# holder: depth_codes
# first-bad: 1
"""Ocean temperature profiles from satellite surface values (synthetic)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(15)

N_LEVELS = 25
DEPTHS = torch.linspace(0, 1000, N_LEVELS)
BATCH = 32
EPOCHS = 4
BATCHES_PER_EPOCH = 25


def profiles(n):
    sst = 10 + 15 * torch.rand(n, 1)
    mld = 20 + 120 * torch.rand(n, 1)
    deep = 4 + 0.5 * torch.randn(n, 1)
    shape = torch.sigmoid((mld - DEPTHS) / 60)
    temp = deep + (sst - deep) * shape
    ssh = temp.mean(1, keepdim=True) * 0.1
    wind = mld / 100 + 0.1 * torch.randn(n, 1)
    x = torch.cat([sst / 20, ssh, wind], dim=1)
    return x, temp / 20


class DepthCoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freqs", 2.0 ** torch.arange(5))
        self.net = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, dim))

    def forward(self, z):
        z = z.unsqueeze(-1) / 1000 * self.freqs
        z = torch.cat([z.sin(), z.cos()], dim=-1)
        return self.net(z)


class SurfaceCoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, dim))

    def forward(self, x):
        return self.net(x)


depth_coder = DepthCoder(16)
surface_coder = SurfaceCoder(16)
bias = nn.Parameter(torch.zeros(N_LEVELS))
params = list(depth_coder.parameters()) + list(surface_coder.parameters()) + [bias]
opt = torch.optim.Adam(params, lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)

for epoch in range(EPOCHS):
    depth_codes = depth_coder(DEPTHS)  # <- culprit
    total = 0.0
    for _ in range(BATCHES_PER_EPOCH):
        x, t = profiles(BATCH)
        code = surface_coder(x)
        pred = code @ depth_codes.t() + bias
        rmse = F.mse_loss(pred, t)
        gradient = F.l1_loss(pred.diff(dim=1), t.diff(dim=1))
        loss = rmse + 0.1 * gradient
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    sched.step()
    print("epoch", epoch, "loss", total / BATCHES_PER_EPOCH)
