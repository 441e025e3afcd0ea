# gradwatch-corpus: kind=memory-climb
# holder: self._cache | dataset._cache | train_set._cache | loader.dataset._cache
# first-bad: 1
# notice: 200
# after: pytorch #5812 / forum "RAM keeps growing while iterating the DataLoader: Dataset caches every item it ever made"
"""Bird call classification on mel-like spectrograms (Kaggle baseline, one file less)."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dataset import BirdCalls


class CFG:
    seed = 42
    n_species = 10
    clips_per_species = 56
    batch_size = 16
    epochs = 7
    lr = 1e-3


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


class SpecNet(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.conv3 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.fc = nn.Linear(32, n)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.relu(self.conv3(x))
        return self.fc(x.mean((2, 3)))


def train_fn(model, loader, optimizer, scheduler):
    model.train()
    total = 0.0
    for spec, label in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(spec), label)
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item()
    return total / len(loader)


def main():
    seed_everything(CFG.seed)
    train_set = BirdCalls(CFG.n_species, CFG.clips_per_species, augment=True)
    loader = DataLoader(train_set, batch_size=CFG.batch_size, shuffle=True, num_workers=0, drop_last=True)
    model = SpecNet(CFG.n_species)
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=CFG.epochs * len(loader))
    for epoch in range(CFG.epochs):
        print(f'epoch {epoch} loss {train_fn(model, loader, optimizer, scheduler):.4f}')


if __name__ == '__main__':
    main()
