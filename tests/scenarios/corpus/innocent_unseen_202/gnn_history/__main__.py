# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

from .layers import SAGE, HistoryStore


class ScaledGNN(nn.Module):
    def __init__(self, num_nodes, d_in, hidden, classes):
        super().__init__()
        self.conv1, self.conv2 = SAGE(d_in, hidden), SAGE(hidden, classes)
        self.history = HistoryStore(num_nodes, hidden)
        self.drift = []

    def forward(self, adj, x, nodes):
        h = F.relu(self.conv1(adj[nodes], x, x[nodes]))
        self.drift.append((h - self.history.table[nodes]).norm(dim=1).mean().item())
        full = self.history.pull(nodes, h)
        self.history.push(nodes, h)
        return self.conv2(adj[nodes], full, h)


def community_graph(n=300, k=4, d=12, seed=91):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, k, (n,), generator=g)
    p = torch.where(y[:, None] == y[None], 0.06, 0.008)
    a = torch.triu((torch.rand(n, n, generator=g) < p).float(), 1)
    a = a + a.t()
    x = torch.randn(k, d, generator=g)[y] + 1.5 * torch.randn(n, d, generator=g)
    return a / a.sum(1, keepdim=True).clamp(min=1), x, y


def main():
    torch.manual_seed(91)
    adj, x, y = community_graph()
    train = torch.rand(len(y)) < 0.5
    model = ScaledGNN(len(y), x.size(1), 24, 4)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(80):
        losses = []
        for nodes in torch.randperm(len(y)).split(60):
            out = model(adj, x, nodes)
            m = train[nodes]
            loss = F.cross_entropy(out[m], y[nodes][m])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss)
        if epoch % 16 == 0:
            mean = torch.stack(losses).mean().item()
            print(f"epoch {epoch} loss {mean:.4f} drift {model.drift[-1]:.3f} max age {model.history.age.max().item()}")


if __name__ == "__main__":
    main()
