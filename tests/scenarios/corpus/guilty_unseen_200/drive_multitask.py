# gradwatch-corpus: kind=second-backward
# first-bad: 40
"""Steering and depth from one trunk; the depth task joins after a warm-up."""
import torch
from torch import nn
import torch.nn.functional as F

WARMUP = 40


class Trunk(nn.Module):
    def __init__(self, out=24):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 6, 3, 2, 1), nn.ReLU(), nn.Conv2d(6, 12, 3, 2, 1), nn.ReLU())
        self.fc = nn.Linear(12 * 9, out)

    def forward(self, img):
        return torch.tanh(self.fc(self.conv(img).flatten(1)))


class DriveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = Trunk()
        self.steer = nn.Linear(24, 1)
        self.depth = nn.Sequential(nn.Linear(24, 16), nn.ReLU(), nn.Linear(16, 4))

    def losses(self, img, angle, depth):
        f = self.trunk(img)
        yield "steer", F.mse_loss(self.steer(f).squeeze(1), angle)
        yield "depth", F.l1_loss(self.depth(f), depth)


def road_images(n, g):
    angle = torch.rand(n, generator=g) * 2 - 1
    cols = torch.arange(12).float()
    rows = torch.arange(12).float()
    center = 6 + 4 * angle[:, None] * rows[None] / 12
    img = torch.exp(-(cols[None, None] - center[..., None]).pow(2) / 2).unsqueeze(1)
    depth = img[:, 0].reshape(n, 4, 36).mean(2)
    return img + 0.05 * torch.randn(img.shape, generator=g), angle, depth


def active_tasks(it):
    return {"steer"} if it < WARMUP else {"steer", "depth"}


def step(model, opt, batch, tasks, weights):
    opt.zero_grad()
    report = {}
    for name, loss in model.losses(*batch):
        if name not in tasks:
            continue
        (weights[name] * loss).backward()  # <- culprit
        report[name] = loss.item()
    opt.step()
    return report


def main():
    torch.manual_seed(31)
    g = torch.Generator().manual_seed(31)
    model = DriveNet()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    weights = {"steer": 1.0, "depth": 0.5}
    for it in range(450):
        report = step(model, opt, road_images(16, g), active_tasks(it), weights)
        if it % 30 == 0:
            print(it, {k: round(v, 4) for k, v in report.items()})


if __name__ == "__main__":
    main()
