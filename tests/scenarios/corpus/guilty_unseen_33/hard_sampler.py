# gradwatch-corpus: kind=graph-held
# holder: self.scores | self.scores[i] | sampler.scores | sampler.scores[i] | loader.sampler.scores | loader.sampler.scores[i] | self.sampler.scores | loader.batch_sampler.sampler.scores
# first-bad: 1
"""Curriculum by hardness: examples with a large last loss are drawn more often."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, Sampler


class RingDataset(Dataset):
    def __init__(self, n=960, seed=1):
        rng = np.random.default_rng(seed)
        radius = rng.uniform(0.0, 2.0, size=n)
        angle = rng.uniform(0, 2 * np.pi, size=n)
        pts = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
        self.x = torch.as_tensor(pts, dtype=torch.float32)
        self.y = torch.as_tensor((np.abs(radius - 1.0) < 0.4).astype("int64"))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


class HardnessSampler(Sampler):
    def __init__(self, size, floor=0.05, seed=0):
        self.size, self.floor = size, floor
        self.scores = {}
        self.rng = np.random.default_rng(seed)

    def update(self, index, losses):
        for i, value in zip(index.tolist(), losses):
            self.scores[i] = value  # <- culprit

    def weights(self):
        w = np.full(self.size, 1.0)
        for i, value in self.scores.items():
            w[i] = self.floor + float(value)
        return w / w.sum()

    def __iter__(self):
        order = self.rng.choice(self.size, size=self.size, replace=True, p=self.weights())
        return iter(order.tolist())

    def __len__(self):
        return self.size


def build():
    data = RingDataset()
    sampler = HardnessSampler(len(data))
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    net = nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 2))
    return net, loader


def train(epochs=5):
    torch.manual_seed(0)
    net, loader = build()
    criterion = nn.CrossEntropyLoss(reduction="none")
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    for epoch in range(epochs):
        total, correct, n = 0.0, 0, 0
        for index, x, y in loader:
            logits = net(x)
            per_item = criterion(logits, y)
            loader.sampler.update(index, per_item)  # <- culprit
            loss = per_item.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
            n += len(y)
        spread = loader.sampler.weights()
        print(f"epoch {epoch} loss {total / n:.4f} acc {correct / n:.3f} "
              f"max/min weight {spread.max() / spread.min():.1f}")


if __name__ == "__main__":
    train()
