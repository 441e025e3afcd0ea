# gradwatch-corpus: kind=inplace-modified
# holder: self.bank | memory.bank | bank
# first-bad: 40
"""Instance discrimination with a memory bank, on random-projection "images".
The bank keeps its random start until the encoder has settled (40 iterations), then follows it."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(31)


class InstanceMemory:
    def __init__(self, n, dim, momentum=0.5, temperature=0.1, start=40):
        self.bank = F.normalize(torch.randn(n, dim), dim=1)
        self.momentum = momentum
        self.temperature = temperature
        self.start = start
        self.calls = 0

    def refresh(self, idx, feats):
        m = self.momentum
        self.bank[idx] *= m  # <- culprit
        self.bank[idx] += (1 - m) * feats.detach()  # <- culprit
        self.bank[idx] = F.normalize(self.bank[idx], dim=1)  # <- culprit

    def logits(self, idx, feats):
        out = feats @ self.bank.t() / self.temperature
        if self.calls >= self.start:
            self.refresh(idx, feats)  # <- culprit
        self.calls += 1
        return out


class Encoder(nn.Module):
    def __init__(self, d_in=64, d_out=24):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, 96), nn.ReLU(), nn.Linear(96, d_out))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


class Instances:
    """n prototypes; a view is a prototype with noise and dropped-out coordinates"""

    def __init__(self, n, dim):
        self.x = torch.randn(n, dim)

    def __len__(self):
        return len(self.x)

    def views(self, idx):
        x = self.x[idx]
        return (x + 0.2 * torch.randn_like(x)) * (torch.rand_like(x) > 0.1)

    def batches(self, size):
        while True:
            perm = torch.randperm(len(self))
            for idx in perm.split(size):
                yield idx, self.views(idx)


def knn_recall(encoder, data, bank, k=5):
    with torch.no_grad():
        idx = torch.arange(0, len(data), 4)
        sim = encoder(data.views(idx)) @ bank.t()
        return (sim.topk(k).indices == idx[:, None]).any(1).float().mean().item()


def fit(iterations=300, batch=64):
    data = Instances(512, 64)
    encoder = Encoder()
    memory = InstanceMemory(len(data), 24)
    opt = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
    for it, (idx, x) in enumerate(data.batches(batch)):
        if it == iterations:
            break
        loss = F.cross_entropy(memory.logits(idx, encoder(x)), idx)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"{it:4d}  loss {loss.item():.3f}  recall@5 {knn_recall(encoder, data, memory.bank):.3f}")


if __name__ == "__main__":
    fit()
