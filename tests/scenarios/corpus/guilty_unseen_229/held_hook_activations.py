# gradwatch-corpus: kind=graph-held
# holder: probe.seen | self.seen | probe.seen["neck"]
# first-bad: 1
"""Depth-from-mono toy for a stereo-less drone camera. Tracks dead channels in the neck while training."""
from collections import defaultdict
from functools import partial

import torch
from torch import nn


class DepthNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU())
        self.neck = nn.Sequential(nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU())
        self.up = nn.Sequential(nn.ConvTranspose2d(16, 8, 2, 2), nn.ReLU(), nn.ConvTranspose2d(8, 1, 2, 2))

    def forward(self, x):
        return self.up(self.neck(self.stem(x)))


class ActivationProbe:
    def __init__(self, model, layers):
        self.seen = defaultdict(list)
        for name in layers:
            module = getattr(model, name)
            module.register_forward_hook(partial(self.record, name))

    def record(self, name, module, args, out):
        rate = (out > 0).float().mean(dim=(0, 2, 3))
        peak = out.amax(dim=(0, 2, 3))  # <- culprit
        self.seen[name].append((rate, peak))  # <- culprit

    def dead_channels(self, name, last=20):
        recent = self.seen[name][-last:]
        rates = torch.stack([r for r, _ in recent])
        return int((rates.max(dim=0).values < 1e-3).sum())

    def mean_peak(self, name, last=20):
        with torch.no_grad():
            return torch.stack([p for _, p in self.seen[name][-last:]]).mean().item()


def render(batch, size=32):
    ramp = torch.linspace(0.2, 1.0, size).view(1, 1, size, 1)
    depth = ramp.expand(batch, 1, size, size).clone()
    for b in range(batch):
        r, c = torch.randint(4, size - 12, (2,)).tolist()
        depth[b, :, r:r + 8, c:c + 8] = 0.1 + 0.8 * torch.rand(1)
    image = 1.0 / (depth + 0.3) + 0.05 * torch.randn_like(depth)
    return image, depth


def silog(pred, target):
    d = pred - target.log()
    return d.pow(2).mean() - 0.5 * d.mean().pow(2)


def train(steps=110):
    torch.manual_seed(19)
    model = DepthNet()
    probe = ActivationProbe(model, ["stem", "neck"])
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-2, total_steps=steps)
    for step in range(steps):
        image, depth = render(8)
        loss = silog(model(image), depth)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 25 == 24:
            dead = probe.dead_channels("neck")
            print(f"{step + 1}: silog {loss.item():.4f} dead {dead} peak {probe.mean_peak('neck'):.2f}")


if __name__ == "__main__":
    train()
