# gradwatch-corpus: kind=crashed
# first-bad: 40
import torch
import torch.nn as nn
import torch.nn.functional as F


class Digits:
    """Noisy prototypes; the last shard of the stream was written class by class."""

    def __init__(self, classes=5, dim=24, seed=10):
        self.g = torch.Generator().manual_seed(seed)
        self.protos = torch.randn(classes, dim, generator=self.g)
        mixed = torch.randint(classes, (40 * 16,), generator=self.g)
        tail = torch.arange(classes).repeat_interleave(16 * 72)
        self.labels = torch.cat([mixed, tail])

    def __len__(self):
        return len(self.labels)

    def batches(self, n):
        for y in self.labels.split(n):
            yield self.protos[y] + 0.6 * torch.randn(len(y), self.protos.size(1), generator=self.g), y


class SiameseNetwork(nn.Module):
    def __init__(self, dim, emb):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, emb))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class BatchAllTriplets(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, emb, labels):
        dist = 2 - 2 * emb @ emb.t()
        same = labels.unsqueeze(0) == labels.unsqueeze(1)
        losses = []
        for i in range(len(labels)):
            pos = same[i].clone()
            pos[i] = False
            neg = ~same[i]
            if not pos.any() or not neg.any():
                continue
            gap = dist[i][pos].mean() - dist[i][neg].min() + self.margin
            losses.append(F.relu(gap))
        if not losses:
            return torch.tensor(0.0)  # <- culprit
        return torch.stack(losses).mean()


def recall_at_1(emb, y):
    sim = emb @ emb.t()
    sim.fill_diagonal_(-2)
    return (y[sim.argmax(1)] == y).float().mean().item()


def train(model, data, criterion, optimizer, batch_size=16):
    model.train()
    for step, (x, y) in enumerate(data.batches(batch_size)):
        optimizer.zero_grad()
        emb = model(x)
        loss = criterion(emb, y)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"[{step * batch_size}/{len(data)}] loss {loss.item():.4f} "
                  f"R@1 {recall_at_1(emb.detach(), y):.3f}")


def main():
    torch.manual_seed(10)
    data = Digits()
    model = SiameseNetwork(24, 8)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    train(model, data, BatchAllTriplets(0.5), optimizer)


if __name__ == "__main__":
    main()
