# gradwatch-corpus: kind=second-backward
# first-bad: 101
import torch
from torch import nn
from torch.nn import functional as F

WARMUP, REFRESH = 100, 25


class Encoder(nn.Module):
    def __init__(self, d=30, z=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 48), nn.ReLU(), nn.Linear(48, z))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class PrototypeTrainer:
    def __init__(self, x, y, classes):
        self.x, self.y, self.classes = x, y, classes
        self.encoder = Encoder()
        self.head = nn.Linear(12, classes)
        self.optimizer = torch.optim.Adam([*self.encoder.parameters(), *self.head.parameters()], lr=1e-3)
        self.prototypes = None
        self.history = []

    def refresh_prototypes(self):
        pick = torch.randperm(len(self.x))[:200]
        z, y = self.encoder(self.x[pick]), self.y[pick]
        self.prototypes = torch.stack([z[y == c].mean(0) for c in range(self.classes)])  # <- culprit

    def loss(self, x, y):
        z = self.encoder(x)
        loss = F.cross_entropy(self.head(z), y)
        if self.prototypes is not None:
            sim = z @ F.normalize(self.prototypes, dim=-1).t()
            loss = loss + 0.3 * F.cross_entropy(sim / 0.2, y)
        return loss

    def fit(self, steps):
        for step in range(steps):
            if step >= WARMUP and step % REFRESH == 0:
                self.refresh_prototypes()
            idx = torch.randint(0, len(self.x), (32,))
            loss = self.loss(self.x[idx], self.y[idx])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.history.append(loss.item())
            if step % 20 == 19:
                print(f"step {step + 1} loss {sum(self.history[-20:]) / 20:.4f} acc {self.accuracy():.3f}")

    @torch.no_grad()
    def accuracy(self):
        return (self.head(self.encoder(self.x)).argmax(1) == self.y).float().mean().item()


def main():
    torch.manual_seed(120)
    y = torch.randint(0, 7, (900,))
    x = torch.randn(7, 30)[y] + 1.3 * torch.randn(900, 30)
    PrototypeTrainer(x, y, 7).fit(500)


if __name__ == "__main__":
    main()
