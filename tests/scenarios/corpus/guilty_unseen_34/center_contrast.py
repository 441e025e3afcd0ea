# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | bank.smooth | self.bank.smooth | criterion.bank.smooth
# first-bad: 1
"""Metric learning with class centers. The centers used in the loss are smoothed over time."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Blobs(Dataset):
    def __init__(self, n=1920, classes=6, dim=20, seed=0):
        g = torch.Generator().manual_seed(seed)
        mu = torch.randn(classes, dim, generator=g) * 2
        self.y = torch.randint(0, classes, (n,), generator=g)
        self.x = mu[self.y] + torch.randn(n, dim, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Encoder(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class CenterBank(nn.Module):
    """Learnable centers plus a slow copy of them that is what the loss sees."""

    def __init__(self, classes, dim, rate=0.2):
        super().__init__()
        self.centers = nn.Parameter(F.normalize(torch.randn(classes, dim), dim=-1))
        self.rate = rate
        self.smooth = None

    def refresh(self):
        if self.smooth is None:
            self.smooth = self.centers.clone()
        else:
            self.smooth = torch.lerp(self.smooth, self.centers, self.rate)  # <- culprit
        return self.smooth


class CenterContrast(nn.Module):
    def __init__(self, classes, dim, temperature=0.2):
        super().__init__()
        self.bank = CenterBank(classes, dim)
        self.t = temperature

    def forward(self, z, y):
        c = F.normalize(self.bank.refresh(), dim=-1)
        logits = z @ c.t() / self.t
        pull = (z - c[y]).pow(2).sum(-1).mean()
        return F.cross_entropy(logits, y) + 0.1 * pull, logits


@torch.no_grad()
def evaluate(encoder, criterion, loader):
    c = F.normalize(criterion.bank.centers, dim=-1)
    hits = n = 0
    for x, y in loader:
        hits += ((encoder(x) @ c.t()).argmax(1) == y).sum().item()
        n += len(y)
    return hits / n


def run(epochs=3, batch_size=32):
    torch.manual_seed(5)
    data = Blobs()
    train = DataLoader(data, batch_size=batch_size, shuffle=True)
    test = DataLoader(Blobs(n=512), batch_size=256)
    encoder = Encoder(20, 16)
    criterion = CenterContrast(6, 16)
    optimizer = torch.optim.SGD(
        list(encoder.parameters()) + list(criterion.parameters()), lr=0.05, momentum=0.9)

    for epoch in range(epochs):
        meter = 0.0
        for x, y in train:
            loss, _ = criterion(encoder(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter += loss.item()
        acc = evaluate(encoder, criterion, test)
        print(f"ep {epoch}: loss {meter / len(train):.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    run()
