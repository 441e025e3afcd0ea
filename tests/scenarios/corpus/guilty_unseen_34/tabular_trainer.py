# gradwatch-corpus: kind=graph-held
# holder: self.history["loss"] | trainer.history["loss"] | history["loss"] | self.history | trainer.history
# first-bad: 1
"""Churn prediction with categorical embeddings. Notebook exported to a script."""
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
CARDINALITIES = [12, 7, 30]


def build_dataset(n=4096):
    rng = np.random.default_rng(2024)
    cats = np.stack([rng.integers(0, c, n) for c in CARDINALITIES], 1)
    nums = rng.normal(size=(n, 6)).astype(np.float32)
    score = 0.8 * nums[:, 0] - 0.5 * nums[:, 3] + (cats[:, 1] - 3) * 0.4
    y = (score + rng.normal(0, 0.5, n) > 0).astype(np.float32)
    return TensorDataset(torch.from_numpy(cats), torch.from_numpy(nums), torch.from_numpy(y))


class TabularNet(nn.Module):
    def __init__(self, cardinalities, n_num, hidden=(64, 32), p=0.1):
        super().__init__()
        self.embeds = nn.ModuleList([nn.Embedding(c, min(16, c // 2 + 1)) for c in cardinalities])
        width = sum(e.embedding_dim for e in self.embeds) + n_num
        layers = []
        for h in hidden:
            layers += [nn.Linear(width, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Dropout(p)]
            width = h
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, cats, nums):
        e = [emb(cats[:, j]) for j, emb in enumerate(self.embeds)]
        return self.out(self.body(torch.cat(e + [nums], dim=1))).squeeze(1)


class Trainer:
    def __init__(self, model, train_loader, valid_loader, lr=2e-3):
        self.model = model.to(DEVICE)
        self.train_loader = train_loader
        self.valid_loader = valid_loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.history = defaultdict(list)

    def log(self, **metrics):
        for name, value in metrics.items():
            self.history[name].append(value)  # <- culprit

    def train_epoch(self):
        self.model.train()
        for cats, nums, y in self.train_loader:
            cats, nums, y = cats.to(DEVICE), nums.to(DEVICE), y.to(DEVICE)
            logits = self.model(cats, nums)
            loss = F.binary_cross_entropy_with_logits(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.log(loss=loss, lr=self.optimizer.param_groups[0]["lr"])  # <- culprit

    def validate(self):
        self.model.eval()
        correct = count = 0
        with torch.no_grad():
            for cats, nums, y in self.valid_loader:
                pred = self.model(cats.to(DEVICE), nums.to(DEVICE)) > 0
                correct += (pred.float() == y.to(DEVICE)).sum().item()
                count += y.numel()
        self.log(val_acc=correct / count)

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            start = len(self.history["loss"])
            self.train_epoch()
            self.validate()
            epoch_losses = self.history["loss"][start:]
            mean = sum(l.item() for l in epoch_losses) / len(epoch_losses)
            print(f"Epoch {epoch}/{epochs} - loss: {mean:.4f} - val_acc: {self.history['val_acc'][-1]:.4f}")


torch.manual_seed(0)
ds = build_dataset()
train_ds, valid_ds = random_split(ds, [3456, 640])
trainer = Trainer(
    TabularNet(CARDINALITIES, 6),
    DataLoader(train_ds, batch_size=64, shuffle=True, drop_last=True),
    DataLoader(valid_ds, batch_size=320),
)
trainer.fit(3)
print("best val acc", max(trainer.history["val_acc"]))
