# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

from .store import BatchCache, History


def sbm(n=240, k=4, seed=5):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, k, (n,), generator=g)
    p = torch.where(y[:, None] == y[None], 0.08, 0.01)
    a = (torch.rand(n, n, generator=g) < p).float().triu(1)
    a = a + a.t() + torch.eye(n)
    x = F.one_hot(y, k).float() + 1.2 * torch.randn(n, k, generator=g)
    return x, y, a / a.sum(1, keepdim=True)


class ScalableGNN(nn.Module):
    def __init__(self, n, in_dim, hidden, classes, layers=3):
        super().__init__()
        dims = [in_dim] + [hidden] * (layers - 1) + [classes]
        self.lins = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.histories = [History(n, hidden) for _ in range(layers - 1)]

    def forward(self, x, blocks):
        idx, halo, a_in, a_out = blocks
        h, outside = x[idx], x[halo]
        for i, lin in enumerate(self.lins):
            h = lin(a_in @ h + a_out @ outside)
            if i < len(self.histories):
                h = F.relu(h)
                self.histories[i].push(idx, h)
                outside = self.histories[i].pull(halo)
        return h


class Trainer:
    def __init__(self, parts=6):
        self.x, self.y, self.adj = sbm()
        self.parts = torch.randperm(len(self.y)).chunk(parts)
        self.model = ScalableGNN(len(self.y), self.x.size(1), 32, 4)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=5e-3)
        self.cache = BatchCache()
        self.outputs = {}

    def blocks(self, b):
        idx = self.parts[b]
        halo = torch.cat([p for j, p in enumerate(self.parts) if j != b])
        return idx, halo, self.adj[idx][:, idx], self.adj[idx][:, halo]

    def train_epoch(self):
        total = 0
        for b in torch.randperm(len(self.parts)).tolist():
            blk = self.cache.get(b, lambda: self.blocks(b))
            out = self.model(self.x, blk)
            loss = F.cross_entropy(out, self.y[blk[0]])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.outputs[b] = out
            total += loss.item()
        return total / len(self.parts)

    def train_accuracy(self):
        hits = sum((o.argmax(1) == self.y[self.parts[b]]).sum().item() for b, o in self.outputs.items())
        return hits / len(self.y)


def main(epochs=90):
    torch.manual_seed(0)
    trainer = Trainer()
    for epoch in range(epochs):
        loss = trainer.train_epoch()
        if epoch % 15 == 14:
            age = trainer.model.histories[0].age.float().mean().item()
            print(f"epoch {epoch + 1} loss {loss:.4f} acc {trainer.train_accuracy():.3f} staleness {age:.1f}")


if __name__ == "__main__":
    main()
