# gradwatch-corpus: kind=none
"""Mini-batch GCN with historical embeddings (GNNAutoScale style)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

NODES, FEATS, HIDDEN, CLASSES = 240, 12, 24, 4


def planted_graph(seed: int):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(CLASSES, (NODES,), generator=g)
    prob = torch.where(y[:, None] == y[None], 0.08, 0.01)
    adj = (torch.rand(NODES, NODES, generator=g) < prob).float().triu(1)
    adj = adj + adj.T + torch.eye(NODES)
    adj = adj / adj.sum(1, keepdim=True)
    x = torch.randn(CLASSES, FEATS, generator=g)[y] + 2 * torch.randn(NODES, FEATS, generator=g)
    return x, y, adj


class History:
    def __init__(self, size: int, dim: int):
        self.table = torch.zeros(size, dim)
        self.age = torch.zeros(size, dtype=torch.long)

    def push(self, idx: torch.Tensor, h: torch.Tensor) -> None:
        self.table = self.table.index_copy(0, idx, h.detach())
        self.age += 1
        self.age[idx] = 0

    def splice(self, idx: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
        return self.table.index_copy(0, idx, h)


class AutoScaleGCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin1 = nn.Linear(FEATS, HIDDEN)
        self.lin2 = nn.Linear(HIDDEN, CLASSES)
        self.history = History(NODES, HIDDEN)

    def forward(self, x, adj, idx):
        h = F.relu(self.lin1(adj[idx] @ x))
        full = self.history.splice(idx, h)
        self.history.push(idx, h)
        return self.lin2(adj[idx] @ full)


def main() -> None:
    torch.manual_seed(0)
    x, y, adj = planted_graph(seed=77)
    model = AutoScaleGCN()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    step = 0
    for epoch in range(70):
        hits = torch.zeros(())
        for idx in torch.randperm(NODES).split(40):
            logits = model(x, adj, idx)
            loss = F.cross_entropy(logits, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            hits += (logits.argmax(-1) == y[idx]).sum()
            step += 1
        if epoch % 14 == 0:
            age = model.history.age.float().mean().item()
            print(f"epoch {epoch} step {step} acc {hits.item() / NODES:.3f} staleness {age:.2f}")


if __name__ == "__main__":
    main()
