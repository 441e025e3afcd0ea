# gradwatch-corpus: kind=second-backward
# holder: self.prototypes | system.prototypes
# first-bad: 21
# notice: 0
# after: forum "Prototypes recomputed once per epoch with the encoder - backward second time from the second batch of the next epoch"
"""Leaf disease recognition: cross-entropy warm-up epoch, then pull to class prototypes."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 4
CLASSES = 6
BATCH = 32
BATCHES = 20
EMB = 24


def leaves(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % CLASSES
    texture = torch.randn(CLASSES, 3, 12, 12, generator=torch.Generator().manual_seed(99))
    x = texture[y] + 1.5 * torch.randn(n, 3, 12, 12, generator=g)
    return TensorDataset(x, y)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        )
        self.embed = nn.Linear(96, EMB)

    def forward(self, x):
        return F.normalize(self.embed(self.features(x)), dim=1)


class PrototypeSystem(nn.Module):
    def __init__(self, temperature=0.1, pull=0.5):
        super().__init__()
        self.encoder = Encoder()
        self.classifier = nn.Linear(EMB, CLASSES)
        self.temperature = temperature
        self.pull = pull
        self.prototypes = None

    def loss(self, x, y):
        z = self.encoder(x)
        out = F.cross_entropy(self.classifier(z) / self.temperature, y)
        if self.prototypes is not None:
            out = out + self.pull * F.cross_entropy(z @ self.prototypes.t() / self.temperature, y)
        return out

    def refresh_prototypes(self, loader):
        """Mean embedding of each class over the training set, at the end of the epoch."""
        self.encoder.eval()
        sums = torch.zeros(CLASSES, EMB)
        for x, y in loader:
            sums = sums.index_add(0, y, self.encoder(x))
        self.prototypes = F.normalize(sums, dim=1)  # <- culprit
        self.encoder.train()

    @torch.no_grad()
    def accuracy(self, loader):
        self.eval()
        good = total = 0
        for x, y in loader:
            good += (self.classifier(self.encoder(x)).argmax(1) == y).sum().item()
            total += len(y)
        self.train()
        return good / total


def train_epoch(system, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = system.loss(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def main():
    torch.manual_seed(21)
    train_set = leaves(BATCH * BATCHES, seed=1)
    train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
    test_loader = DataLoader(leaves(120, seed=2), batch_size=60)
    system = PrototypeSystem()
    optimizer = torch.optim.AdamW(system.parameters(), lr=2e-3)
    for epoch in range(EPOCHS):
        loss = train_epoch(system, train_loader, optimizer)
        system.refresh_prototypes(DataLoader(train_set, batch_size=128))
        print("epoch %d loss %.4f test accuracy %.3f" % (epoch, loss, system.accuracy(test_loader)))


if __name__ == "__main__":
    main()
