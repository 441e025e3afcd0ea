# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Dense graph attention on a planted-partition graph; edge dropping starts once training has settled."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def planted_graph(n=120, k=4, p_in=0.15, p_out=0.01):
    y = torch.arange(n) % k
    p = torch.where(y[:, None] == y[None], p_in, p_out)
    upper = (torch.rand(n, n) < p).triu(1)
    adj = (upper | upper.t()) | torch.eye(n, dtype=torch.bool)
    x = F.one_hot(y, k).float() @ torch.randn(k, 24) * 0.6 + torch.randn(n, 24)
    return x, adj, y


class GATLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out, bias=False)
        self.a_src = nn.Parameter(torch.randn(d_out) * 0.1)
        self.a_dst = nn.Parameter(torch.randn(d_out) * 0.1)
        self.edge_drop = 0.0

    def forward(self, x, adj):
        h = self.lin(x)
        e = F.leaky_relu((h @ self.a_src)[:, None] + (h @ self.a_dst)[None], 0.2)
        alpha = torch.softmax(e.masked_fill(~adj, float("-inf")), dim=1)
        if self.training and self.edge_drop > 0:
            drop = torch.rand_like(alpha) < self.edge_drop
            alpha[drop] = 0.0  # <- culprit
            alpha = alpha / alpha.sum(1, keepdim=True).clamp_min(1e-6)
        return alpha @ h


class GAT(nn.Module):
    def __init__(self, d_in, hidden, k):
        super().__init__()
        self.g1, self.g2 = GATLayer(d_in, hidden), GATLayer(hidden, k)

    def set_edge_drop(self, p):
        self.g1.edge_drop = self.g2.edge_drop = p

    def forward(self, x, adj):
        return self.g2(F.elu(self.g1(x, adj)), adj)


def accuracy(model, x, adj, y, mask):
    model.eval()
    with torch.no_grad():
        return (model(x, adj).argmax(1)[mask] == y[mask]).float().mean().item()


def run(epochs=120, drop_from=40, drop=0.2):
    torch.manual_seed(13)
    x, adj, y = planted_graph()
    train_mask = torch.rand(len(y)) < 0.3
    model = GAT(24, 16, 4)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for epoch in range(epochs):
        if epoch == drop_from:
            model.set_edge_drop(drop)
        model.train()
        loss = F.cross_entropy(model(x, adj)[train_mask], y[train_mask])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if epoch % 10 == 0:
            acc = accuracy(model, x, adj, y, ~train_mask)
            print(f"epoch {epoch:3d} loss {loss.item():.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    run()
