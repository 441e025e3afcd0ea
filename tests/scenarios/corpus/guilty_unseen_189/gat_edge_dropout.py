# gradwatch-corpus: kind=inplace-modified
# first-bad: 25
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import Adam


def planted_partition(n=60, k=3, p_in=0.25, p_out=0.03, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % k
    same = (y.unsqueeze(0) == y.unsqueeze(1)).float()
    prob = same * p_in + (1 - same) * p_out
    upper = torch.triu((torch.rand(n, n, generator=g) < prob).float(), 1)
    adj = upper + upper.t() + torch.eye(n)
    x = F.one_hot(y, k).float() @ torch.randn(k, 12, generator=g) + 1.5 * torch.randn(n, 12, generator=g)
    return x, adj, y


class GraphAttentionLayer(nn.Module):
    def __init__(self, n_in, n_out, heads, concat, leak=0.2):
        super().__init__()
        self.heads, self.n_out, self.concat, self.leak = heads, n_out, concat, leak
        self.W = nn.Linear(n_in, heads * n_out, bias=False)
        self.a_src = nn.Parameter(torch.empty(heads, n_out, 1))
        self.a_dst = nn.Parameter(torch.empty(heads, n_out, 1))
        nn.init.xavier_normal_(self.a_src)
        nn.init.xavier_normal_(self.a_dst)
        self.edge_drop = 0.0

    def forward(self, h, adj):
        n = h.size(0)
        z = self.W(h).view(n, self.heads, self.n_out).transpose(0, 1)
        e = F.leaky_relu(z @ self.a_src + (z @ self.a_dst).transpose(1, 2), self.leak)
        e = e.masked_fill(adj == 0, -1e9)
        att = F.softmax(e, dim=-1)
        if self.training and self.edge_drop > 0:
            keep = torch.rand_like(adj) > self.edge_drop
            att *= keep / (1 - self.edge_drop)  # <- culprit
        out = att @ z
        return out.transpose(0, 1).flatten(1) if self.concat else out.mean(0)


class GAT(nn.Module):
    def __init__(self, n_in, hidden, classes, heads=4):
        super().__init__()
        self.gat1 = GraphAttentionLayer(n_in, hidden, heads, concat=True)
        self.gat2 = GraphAttentionLayer(hidden * heads, classes, 1, concat=False)

    def set_edge_drop(self, p):
        self.gat1.edge_drop = self.gat2.edge_drop = p

    def forward(self, x, adj):
        x = F.elu(self.gat1(F.dropout(x, 0.3, self.training), adj))
        return F.log_softmax(self.gat2(x, adj), dim=1)


def edge_drop_at(epoch, warmup=25, top=0.3, ramp=100):
    return 0.0 if epoch < warmup else min(top, top * (epoch - warmup + 1) / ramp)


def main(epochs=400):
    torch.manual_seed(13)
    x, adj, y = planted_partition(seed=13)
    idx = torch.randperm(len(y))
    idx_train, idx_val = idx[:20], idx[20:]
    model = GAT(x.size(1), 8, 3)
    optimizer = Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(epochs):
        model.train()
        model.set_edge_drop(edge_drop_at(epoch))
        optimizer.zero_grad()
        loss = F.nll_loss(model(x, adj)[idx_train], y[idx_train])
        loss.backward()
        optimizer.step()
        if epoch % 20 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(x, adj)[idx_val].argmax(1) == y[idx_val]).float().mean().item()
            print(f"Epoch {epoch:04d} loss {loss.item():.4f} val {acc:.4f}")


if __name__ == "__main__":
    main()
