# gradwatch-corpus: kind=graph-held
# holder: bank.chunks | self.chunks | bank.chunks["train"]
# first-bad: 1
"""Supervised contrastive pretraining with an online kNN probe."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class FeatureBank:
    """Holds embeddings of a split for nearest-neighbour evaluation."""

    def __init__(self):
        self.chunks = {"train": [], "val": []}

    def add(self, split, feats, labels):
        self.chunks[split].append((feats, labels))

    def __len__(self):
        return sum(len(l) for _, l in self.chunks["train"])

    def clear(self, split):
        self.chunks[split].clear()

    @torch.no_grad()
    def knn_accuracy(self, k=5):
        keys = torch.cat([f for f, _ in self.chunks["train"]][-64:])
        labels = torch.cat([l for _, l in self.chunks["train"]][-64:])
        hits = total = 0
        for feats, target in self.chunks["val"]:
            top = (feats @ keys.t()).topk(k, dim=1).indices
            vote = labels[top].mode(dim=1).values
            hits += (vote == target).sum().item()
            total += len(target)
        return hits / max(total, 1)


class Encoder(nn.Module):
    def __init__(self, din=20, dim=16):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(din, 40), nn.BatchNorm1d(40), nn.ReLU(), nn.Linear(40, 32))
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        h = self.backbone(x)
        return F.normalize(h, dim=1), F.normalize(self.projector(h), dim=1)


def supcon(z, labels, tau=0.2):
    n = len(z)
    eye = torch.eye(n, dtype=torch.bool)
    logits = (z @ z.t() / tau).masked_fill(eye, -1e9)
    same = (labels[:, None] == labels[None]) & ~eye
    logp = logits - logits.logsumexp(1, keepdim=True)
    return -(logp * same).sum(1).div(same.sum(1).clamp(min=1)).mean()


class Blobs:
    def __init__(self, classes=6, din=20, seed=2):
        self.g = torch.Generator().manual_seed(seed)
        self.centers = torch.randn(classes, din, generator=self.g)

    def sample(self, n):
        y = torch.randint(len(self.centers), (n,), generator=self.g)
        noise = torch.randn(n, self.centers.size(1), generator=self.g)
        return self.centers[y] + 0.8 * noise, y


def probe(model, bank, data, batches=4):
    model.eval()
    bank.clear("val")
    with torch.no_grad():
        for _ in range(batches):
            x, y = data.sample(64)
            bank.add("val", model(x)[0], y)
    model.train()
    return bank.knn_accuracy()


def train(steps=440, batch=48, lr=0.05):
    torch.manual_seed(0)
    data, model, bank = Blobs(), Encoder(), FeatureBank()
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    for step in range(1, steps + 1):
        x, y = data.sample(batch)
        feats, z = model(x)
        loss = supcon(z, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        bank.add("train", feats, y)  # <- culprit
        if step % 80 == 0:
            print(f"{step:4d} loss {loss.item():.3f} knn {probe(model, bank, data):.3f} bank {len(bank)}")


if __name__ == "__main__":
    train()
