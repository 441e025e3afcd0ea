# gradwatch-corpus: kind=none
"""Keypoint heatmaps, with a fixed carousel of the last rounds for the loss plot."""
import math
from collections import deque

import torch
from torch import nn

torch.manual_seed(73)


class Carousel:
    def __init__(self, seats):
        self.ring = deque([None] * seats)

    def seat(self, item):
        self.ring.rotate(1)
        self.ring[0] = item

    def filled(self):
        return [i for i in self.ring if i is not None]

    def spark(self):
        values = [i["loss"].item() for i in self.filled()][::-6]
        low, high = min(values), max(values)
        marks = "_.-=^"
        return "".join(marks[int(4 * (v - low) / (high - low + 1e-9))] for v in values)


class Heatmap(nn.Module):
    def __init__(self, points=3, channels=8):
        super().__init__()
        self.stem = nn.Conv2d(1, channels, 3, padding=1)
        self.mid = nn.Conv2d(channels, channels, 3, padding=1)
        self.out = nn.Conv2d(channels, points, 1)

    def forward(self, image):
        h = torch.relu(self.stem(image))
        h = torch.relu(self.mid(h)) + h
        logits = self.out(h).flatten(2)
        weights = logits.softmax(-1)
        side = math.isqrt(weights.shape[-1])
        axis = torch.linspace(-1, 1, side)
        grid = torch.stack(torch.meshgrid(axis, axis, indexing="ij"), dim=-1).reshape(-1, 2)
        return weights @ grid


def scenes(batch=4, side=12):
    where = torch.rand(batch, 3, 2) * 1.6 - 0.8
    axis = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    amplitude = torch.tensor([1.0, 0.6, 0.3])
    blobs = torch.exp(-((yy - where[..., 0, None, None]) ** 2 + (xx - where[..., 1, None, None]) ** 2) / 0.02)
    return (blobs * amplitude[None, :, None, None]).sum(1, keepdim=True), where


def main():
    net = Heatmap()
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    carousel = Carousel(seats=48)
    for step in range(450):
        image, where = scenes()
        found = net(image)
        distance = (found - where).norm(dim=-1)
        loss = distance.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        carousel.seat({"loss": loss, "distance": distance.amax(0), "step": step})
        if step % 75 == 74:
            worst = max(carousel.filled(), key=lambda i: i["distance"].max().item())
            print(step, f"{loss.item():.4f}", carousel.spark(), "worst at", worst["step"])


if __name__ == "__main__":
    main()
