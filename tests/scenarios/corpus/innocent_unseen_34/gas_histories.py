# gradwatch-corpus: kind=none
"""Mini-batch GNN with historical embeddings for the neighbours that are outside of the batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class History(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.register_buffer("emb", torch.zeros(n, dim))
        self.age = torch.zeros(n, dtype=torch.long)

    def push(self, x, idx):
        self.emb[idx] = x.detach()
        self.age += 1
        self.age[idx] = 0

    def pull(self, x, idx):
        full = self.emb.clone()
        full[idx] = x
        return full


class Conv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.own, self.neigh = nn.Linear(i, o), nn.Linear(i, o, bias=False)

    def forward(self, full, idx, adj):
        return self.own(full[idx]) + self.neigh(adj[idx] @ full)


class ScalableGNN(nn.Module):
    def __init__(self, n, d_in, hidden, classes, layers=3):
        super().__init__()
        dims = [d_in] + [hidden] * (layers - 1)
        self.convs = nn.ModuleList(Conv(a, hidden) for a in dims)
        self.histories = nn.ModuleList(History(n, hidden) for _ in range(layers - 1))
        self.out = nn.Linear(hidden, classes)
        self.reg = 0.0
        self.last_hidden = None

    def forward(self, x, idx, adj):
        h = F.relu(self.convs[0](x, idx, adj))
        self.reg = 0.0
        for conv, hist in zip(self.convs[1:], self.histories):
            self.reg = self.reg + (h - hist.emb[idx]).pow(2).mean()
            full = hist.pull(h, idx)
            hist.push(h, idx)
            h = F.relu(conv(full, idx, adj))
        self.last_hidden = h
        return self.out(h)

    @torch.no_grad()
    def predict(self, x, adj):
        every = torch.arange(len(x))
        h = x
        for conv in self.convs:
            h = F.relu(conv(h, every, adj))
        return self.out(h).argmax(1)


def planted_partition(n=360, k=5, d=12):
    g = torch.Generator().manual_seed(2)
    y = torch.randint(0, k, (n,), generator=g)
    p = torch.where(y[:, None] == y[None], 0.07, 0.01)
    a = (torch.rand(n, n, generator=g) < p).float().triu(1)
    a = a + a.t()
    x = torch.randn(n, d, generator=g)
    x[torch.arange(n), y] += 0.8
    return x, a / a.sum(1, keepdim=True).clamp_min(1), y


def main(epochs=12, batch=40):
    torch.manual_seed(0)
    x, adj, y = planted_partition()
    train_mask = torch.rand(len(y)) < 0.5
    model = ScalableGNN(len(y), x.size(1), 24, 5)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-4)
    norms = []
    for epoch in range(epochs):
        total = 0.0
        for idx in torch.randperm(len(y)).split(batch):
            m = train_mask[idx]
            logits = model(x, idx, adj)
            loss = F.cross_entropy(logits[m], y[idx][m]) + 0.02 * model.reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            norms.append(model.last_hidden.norm(dim=1).mean().item())
        if epoch % 3 == 2:
            acc = (model.predict(x, adj) == y)[~train_mask].float().mean().item()
            print(f"epoch {epoch} loss {total / 9:.3f} test {acc:.3f} "
                  f"max age {model.histories[0].age.max().item()} |h| {norms[-1]:.2f}")


if __name__ == "__main__":
    main()
