# gradwatch-corpus: kind=second-backward
# holder: self.latents | memory.latents | memory
# first-bad: 12
"""Continual gesture recognition on a wrist IMU with latent replay: old window features are mixed into new batches."""
import random

import torch
from torch import nn


class WindowEncoder(nn.Module):
    def __init__(self, channels=6, dim=20):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(channels, 16, 5, padding=2),
            nn.BatchNorm1d(16),
            nn.ReLU(),
            nn.AvgPool1d(4),
            nn.Flatten(),
            nn.Linear(16 * 8, dim),
            nn.Tanh(),
        )

    def forward(self, x):
        return self.net(x)


class LatentMemory:
    def __init__(self, capacity, rng):
        self.capacity = capacity
        self.latents = []
        self.rng = rng
        self.offered = 0

    def offer(self, z, y):
        for vec, label in zip(z, y):
            self.offered += 1
            if len(self.latents) < self.capacity:
                self.latents.append((vec, label))  # <- culprit
            else:
                slot = self.rng.randrange(self.offered)
                if slot < self.capacity:
                    self.latents[slot] = (vec, label)  # <- culprit

    def ready(self, need):
        return len(self.latents) >= need

    def sample(self, n):
        picked = self.rng.sample(self.latents, n)
        z = torch.stack([p[0] for p in picked])
        y = torch.stack([p[1] for p in picked])
        return z, y


def imu_windows(n, gestures):
    y = gestures[torch.randint(0, len(gestures), (n,))]
    t = torch.linspace(0, 6.28, 32)
    phase = torch.rand(n, 1, 1) * 6.28
    freq = (1 + y).view(-1, 1, 1).float()
    gain = torch.linspace(0.5, 1.5, 6).view(1, 6, 1)
    return gain * torch.sin(freq * t + phase) + 0.2 * torch.randn(n, 6, 32), y


def main():
    torch.manual_seed(60)
    rng = random.Random(60)
    encoder = WindowEncoder()
    head = nn.Linear(20, 8)
    memory = LatentMemory(capacity=200, rng=rng)
    opt = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.05, momentum=0.9)
    loss_fn = nn.CrossEntropyLoss()

    for task in range(4):
        gestures = torch.tensor([2 * task, 2 * task + 1])
        for step in range(30):
            x, y = imu_windows(8, gestures)
            z = encoder(x)
            feats = z
            labels = y
            if memory.ready(96):
                old_z, old_y = memory.sample(16)
                feats = torch.cat([feats, old_z])
                labels = torch.cat([labels, old_y])
            loss = loss_fn(head(feats), labels)
            opt.zero_grad()
            loss.backward()
            opt.step()
            memory.offer(z, y)  # <- culprit
        print(f"task {task} loss {loss.item():.3f} stored {len(memory.latents)}")


if __name__ == "__main__":
    main()
