# gradwatch-corpus: kind=memory-climb
# holder: render_heatmap | render_heatmap.cache
"""Keypoint regression with gaussian target heatmaps rendered on demand."""
import functools

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

SIZE = 96


@functools.lru_cache(maxsize=None)  # <- culprit
def render_heatmap(cx, cy, sigma, size=SIZE):  # <- culprit
    axis = torch.arange(size, dtype=torch.float32)
    gx = torch.exp(-((axis - cx) ** 2) / (2 * sigma ** 2))
    gy = torch.exp(-((axis - cy) ** 2) / (2 * sigma ** 2))
    return torch.outer(gy, gx)


class KeypointSet:
    def __init__(self, count=240, points=3, seed=0):
        self.rng = np.random.default_rng(seed)
        self.centres = self.rng.uniform(20, SIZE - 20, (count, points, 2))

    def __len__(self):
        return len(self.centres)

    def sample(self, index):
        shift = self.rng.normal(0, 4.0, (1, 2))
        pts = np.clip(self.centres[index] + shift, 2, SIZE - 3)
        target = torch.stack([render_heatmap(float(x), float(y), 3.0) for x, y in pts])
        image = target.sum(0, keepdim=True) + 0.1 * torch.randn(1, SIZE, SIZE)
        return image, target

    def epoch(self, batch):
        order = self.rng.permutation(len(self))
        for start in range(0, len(order) - batch + 1, batch):
            rows = [self.sample(i) for i in order[start:start + batch]]
            yield torch.stack([r[0] for r in rows]), torch.stack([r[1] for r in rows])


class HourGlass(nn.Module):
    def __init__(self, points=3):
        super().__init__()
        self.down = nn.Conv2d(1, 8, 5, stride=4, padding=2)
        self.mid = nn.Conv2d(8, 8, 3, padding=1)
        self.out = nn.Conv2d(8, points, 1)

    def forward(self, x):
        h = F.relu(self.down(x))
        h = F.relu(self.mid(h)) + h
        return F.interpolate(self.out(h), scale_factor=4, mode="bilinear", align_corners=False)


def soft_argmax(maps):
    flat = maps.flatten(2).softmax(-1)
    axis = torch.arange(SIZE, dtype=torch.float32)
    grid = torch.stack(torch.meshgrid(axis, axis, indexing="ij"), -1).view(-1, 2)
    return flat @ grid


def main():
    data = KeypointSet()
    net = HourGlass()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(5):
        running, seen = 0.0, 0
        for image, target in data.epoch(12):
            pred = net(image)
            loss = F.mse_loss(pred, target) + 1e-4 * pred.abs().mean()
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            running += loss.item() * len(image)
            seen += len(image)
        with torch.no_grad():
            err = (soft_argmax(net(image) * 40) - soft_argmax(target * 40)).norm(dim=-1).mean()
        print(f"epoch {epoch} loss {running / seen:.4f} pixel error {err.item():.2f}")


if __name__ == "__main__":
    main()
