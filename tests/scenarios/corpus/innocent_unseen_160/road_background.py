# gradwatch-corpus: kind=none
"""Foreground masks on a road camera; the background is the median of the last frames."""
from collections import deque

import numpy as np
import torch
from torch import nn

torch.manual_seed(41)
torch.set_num_threads(1)

H, W, BATCH, STEPS = 40, 60, 28, 150


class RoadCamera:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.road = self.rng.uniform(0.2, 0.6, (H, W)).astype(np.float32)
        self.clock = 0

    def burst(self):
        """BATCH frames and the mask of the cars in them."""
        self.clock += 1
        light = 0.1 * np.sin(self.clock / 30)
        frames = self.road + light + self.rng.normal(0, 0.03, (BATCH, H, W)).astype(np.float32)
        masks = np.zeros((BATCH, H, W), dtype=np.float32)
        for i in range(BATCH):
            r, c = self.rng.integers(0, H - 8), self.rng.integers(0, W - 14)
            frames[i, r:r + 8, c:c + 14] = self.rng.uniform(0.5, 1.0)
            masks[i, r:r + 8, c:c + 14] = 1
        return frames.astype(np.float32), masks


class Background:
    def __init__(self, window=14):
        self.recent = deque(maxlen=window)

    def update(self, frames):
        self.recent.append(frames)

    def image(self):
        stack = np.stack([burst[::10] for burst in self.recent])
        return np.median(stack.reshape(-1, H, W), axis=0)


class MaskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(2, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 3, padding=1)
        )

    def forward(self, frames, background):
        diff = frames - background
        return self.net(torch.stack([frames, diff.abs()], dim=1)).squeeze(1)


def main():
    camera, background, net = RoadCamera(41), Background(), MaskNet()
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    weight = torch.tensor(8.0)
    for step in range(STEPS):
        frames, masks = camera.burst()
        background.update(frames)
        logits = net(torch.from_numpy(frames), torch.from_numpy(background.image()))
        loss = nn.functional.binary_cross_entropy_with_logits(
            logits, torch.from_numpy(masks), pos_weight=weight
        )
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            print(f"burst {step:3d} loss {loss.item():.4f} window {len(background.recent)}")


if __name__ == "__main__":
    main()
