# gradwatch-corpus: kind=memory-climb
# holder: self.frames | monitor.frames | self.monitor.frames
"""Autoencoder on synthetic CT patches with a reconstruction monitor."""
from collections import deque

import torch
from torch import nn


class ReconMonitor:
    __slots__ = ("frames", "every", "keep", "errors")

    def __init__(self, every, keep):
        self.frames = deque()
        self.every = every
        self.keep = keep
        self.errors = deque(maxlen=50)

    def add(self, step, patch, recon):
        pair = torch.stack([patch, recon.detach()])
        self.frames.append((step, pair.numpy().copy()))  # <- culprit
        self.errors.append((pair[0] - pair[1]).abs().mean().item())

    def contact_sheet(self):
        latest = list(self.frames)[-self.keep:]
        return [float(p[0].mean() - p[1].mean()) for _, p in latest]


class PatchAE(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, c, 4, 4), nn.LeakyReLU(0.1), nn.Conv2d(c, 2 * c, 2, 2))
        self.dec = nn.Sequential(nn.ConvTranspose2d(2 * c, c, 2, 2), nn.LeakyReLU(0.1), nn.ConvTranspose2d(c, 1, 4, 4))

    def forward(self, x):
        return self.dec(self.enc(x))


def patches(batch, size=64):
    grid = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    cx, cy = (torch.rand(2, batch, 1, 1) - 0.5)
    rad = torch.rand(batch, 1, 1) * 0.3 + 0.2
    body = torch.sigmoid((rad - ((xx - cx) ** 2 + (yy - cy) ** 2).sqrt()) * 20)
    return (body + 0.05 * torch.randn(batch, size, size)).unsqueeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(44)
    net = PatchAE()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    monitor = ReconMonitor(every=20, keep=5)
    for step in range(150):
        x = patches(16)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            recon = net(x)
        loss = nn.functional.mse_loss(recon.float(), x)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        monitor.add(step, x, recon.float())  # <- culprit
        if step % monitor.every == 0:
            mae = sum(monitor.errors) / len(monitor.errors)
            print(f"{step} mae {mae:.4f} sheet {monitor.contact_sheet()[-1]:+.4f}")


if __name__ == "__main__":
    main()
