# gradwatch-corpus: kind=inplace-modified
# holder: self.prototypes | head.prototypes | model.head.prototypes | self.model.head.prototypes | logits | loss
# first-bad: 25
# notice: 0
"""Leaf-shape retrieval. Cosine classifier against class prototypes; after a first epoch against fixed
random prototypes these follow the embeddings with momentum."""
import math

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PrototypeHead(nn.Module):
    def __init__(self, dim, n_classes, momentum=0.9, scale=12.0):
        super().__init__()
        self.momentum = momentum
        self.scale = scale
        self.tracking = False
        protos = torch.empty(n_classes, dim)
        nn.init.orthogonal_(protos)
        self.register_buffer("prototypes", F.normalize(protos))

    def forward(self, emb, labels=None):
        emb = F.normalize(emb)
        logits = self.scale * emb @ self.prototypes.t()
        if self.training and self.tracking and labels is not None:
            self.follow(emb, labels)  # <- culprit
        return logits

    @torch.no_grad()
    def follow(self, emb, labels):
        classes, inv = labels.unique(return_inverse=True)
        sums = emb.new_zeros(len(classes), emb.size(1)).index_add_(0, inv, emb)
        means = sums / inv.bincount().unsqueeze(1)
        moved = self.momentum * self.prototypes[classes] + (1 - self.momentum) * means
        self.prototypes.index_copy_(0, classes, F.normalize(moved))  # <- culprit


class LeafNet(nn.Module):
    def __init__(self, n_classes, dim=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(32, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, dim)
        )
        self.head = PrototypeHead(dim, n_classes)

    def forward(self, x, labels=None):
        return self.head(self.encoder(x), labels)


def leaves(n, n_classes, seed):
    """Radius of the outline at 32 angles."""
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(n_classes, (n,), generator=g)
    ang = torch.linspace(0, 2 * math.pi, 32)
    lobes = (y + 2).view(-1, 1)
    r = 1 + 0.4 * torch.cos(lobes * ang + 0.4 * torch.randn(n, 1, generator=g))
    return r + 0.1 * torch.randn(n, 32, generator=g), y


class Experiment:
    def __init__(self, n_classes=6, epochs=5):
        self.epochs = epochs
        self.model = LeafNet(n_classes)
        self.train_set = TensorDataset(*leaves(800, n_classes, 1))
        self.test = leaves(200, n_classes, 2)
        self.optimizer = torch.optim.SGD(
            self.model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4
        )

    def run_epoch(self, epoch):
        self.model.train()
        self.model.head.tracking = epoch >= 1
        loader = DataLoader(self.train_set, batch_size=32, shuffle=True)
        total = 0.0
        for x, y in loader:
            logits = self.model(x, y)
            loss = F.cross_entropy(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()
        x, y = self.test
        return (self.model(x).argmax(1) == y).float().mean().item()

    def run(self):
        for epoch in range(self.epochs):
            loss = self.run_epoch(epoch)
            print(f"epoch {epoch} loss {loss:.3f} acc {self.accuracy():.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(3)
    Experiment().run()
