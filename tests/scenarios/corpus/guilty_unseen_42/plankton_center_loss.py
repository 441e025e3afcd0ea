# gradwatch-corpus: kind=graph-chain
# holder: self.centers | crit.centers
# first-bad: 16
# also: retain-needless
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

hp = SimpleNamespace(classes=6, in_dim=30, emb=16, bs=48, steps=120, warmup=15, lam=0.2, mom=0.9)


class Plankton(Dataset):
    """Descriptors of plankton images, six species."""

    def __init__(self, n=960):
        g = torch.Generator().manual_seed(2)
        self.y = torch.randint(0, hp.classes, (n,), generator=g)
        proto = torch.randn(hp.classes, hp.in_dim, generator=g)
        self.x = proto[self.y] + 0.8 * torch.randn(n, hp.in_dim, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(hp.in_dim, hp.emb)
        self.cls = nn.Linear(hp.emb, hp.classes)

    def forward(self, x):
        z = torch.tanh(self.proj(x))
        return z, self.cls(z)


class CenterLoss(nn.Module):
    def __init__(self, n_classes, dim, momentum):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("centers", torch.zeros(n_classes, dim))

    def update(self, z, y):
        onehot = F.one_hot(y, self.centers.size(0)).to(z.dtype)
        count = onehot.sum(0).clamp(min=1).unsqueeze(1)
        batch_centers = (onehot.t() @ z) / count
        seen = (onehot.sum(0) > 0).unsqueeze(1)
        blended = self.momentum * self.centers + (1 - self.momentum) * batch_centers
        self.centers = torch.where(seen, blended, self.centers)  # <- culprit

    def forward(self, z, y):
        self.update(z, y)  # <- culprit
        return (z - self.centers[y]).pow(2).sum(1).mean()  # <- culprit


def endless(loader):
    while True:
        yield from loader


def main():
    torch.manual_seed(0)
    loader = endless(DataLoader(Plankton(), batch_size=hp.bs, shuffle=True))
    net = Embedder()
    crit = CenterLoss(hp.classes, hp.emb, hp.mom)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for step in range(hp.steps):
        x, y = next(loader)
        z, logits = net(x)
        loss = F.cross_entropy(logits, y)
        if step >= hp.warmup:
            loss = loss + hp.lam * crit(z, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        if step % 20 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
