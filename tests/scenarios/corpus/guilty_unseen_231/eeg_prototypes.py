# gradwatch-corpus: kind=second-backward
# holder: self.centers | center_loss.centers
# first-bad: 20
"""Sleep stages from EEG band powers with a center loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F

STAGES = ["wake", "light", "deep", "rem"]


class CenterLoss(nn.Module):
    """Pulls the features of each class to the center of its class."""

    def __init__(self, n_classes, dim, lam=0.1):
        super().__init__()
        self.n_classes = n_classes
        self.lam = lam
        self.register_buffer("centers", torch.zeros(n_classes, dim))

    def forward(self, feats, labels):
        diff = feats - self.centers[labels]
        return self.lam * diff.pow(2).sum(1).mean()

    def update(self, feats, labels):
        new = []
        for c in range(self.n_classes):
            mask = labels == c
            if mask.any():
                new.append(feats[mask].mean(0))  # <- culprit
            else:
                new.append(self.centers[c])
        self.centers = torch.stack(new)  # <- culprit


class StageNet(nn.Module):
    def __init__(self, n_in=10, dim=8):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_in, 40),
            nn.SELU(),
            nn.Linear(40, dim),
        )
        self.head = nn.Linear(dim, len(STAGES))

    def forward(self, x):
        z = self.encoder(x)
        return z, self.head(F.relu(z))


class Night:
    def __init__(self, n=640, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 4, (n,), generator=g)
        means = torch.randn(4, 10, generator=g)
        self.x = means[self.y] + 0.8 * torch.randn(n, 10, generator=g)

    def batches(self, size):
        order = torch.randperm(len(self.y))
        for i in range(0, len(order), size):
            idx = order[i:i + size]
            yield self.x[idx], self.y[idx]


torch.manual_seed(4)
night = Night()
model = StageNet()
center_loss = CenterLoss(len(STAGES), 8)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)

for epoch in range(8):
    total = 0.0
    hits = 0
    for x, y in night.batches(32):
        feats, logits = model(x)
        loss = F.cross_entropy(logits, y) + center_loss(feats, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        hits += (logits.argmax(1) == y).sum().item()
    center_loss.update(feats, y)  # <- culprit
    print(f"night pass {epoch}: loss {total / 640:.4f} acc {hits / 640:.3f}")
