# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F


def planted_partition(n=90, k=3, p_in=0.25, p_out=0.02, seed=2):
    g = torch.Generator().manual_seed(seed)
    label = torch.arange(n) % k
    prob = torch.where(label[:, None] == label[None], p_in, p_out)
    upper = torch.triu(torch.rand(n, n, generator=g) < prob, diagonal=1)
    adj = (upper | upper.t()).float()
    feat = F.one_hot(label, k).float() + 1.5 * torch.randn(n, k, generator=g)
    mask = torch.rand(n, generator=g) < 0.3
    return adj, feat, label, mask


def sym_norm(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None]


class GCNLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, a_hat, h):
        return a_hat @ self.lin(h)


class GCNWithPE(nn.Module):
    def __init__(self, adj, d_in, hidden, n_out, pe_dim=8):
        super().__init__()
        self.register_buffer("a_hat", sym_norm(adj))
        self.pe_dim = pe_dim
        self.pe_encoder = nn.Sequential(nn.Linear(pe_dim, 16), nn.ReLU(), nn.Linear(16, hidden))
        self.inp = nn.Linear(d_in, hidden)
        self.layers = nn.ModuleList([GCNLayer(hidden, hidden) for _ in range(2)])
        self.out = nn.Linear(hidden, n_out)
        self._pe = None

    def positional_encoding(self):
        if self._pe is None:
            lap = torch.eye(len(self.a_hat)) - self.a_hat
            _, vec = torch.linalg.eigh(lap)
            self._pe = self.pe_encoder(vec[:, 1:1 + self.pe_dim])  # <- culprit
        return self._pe

    def forward(self, x):
        h = self.inp(x) + self.positional_encoding()
        for layer in self.layers:
            h = h + F.relu(layer(self.a_hat, h))
        return self.out(F.dropout(h, 0.2, self.training))


@torch.no_grad()
def evaluate(model, x, y, mask):
    model.eval()
    return (model(x).argmax(1)[mask] == y[mask]).float().mean().item()


def main():
    torch.manual_seed(2)
    adj, x, y, train_mask = planted_partition()
    model = GCNWithPE(adj, x.size(1), 32, 3)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(400):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x)[train_mask], y[train_mask])
        loss.backward()
        opt.step()
        if epoch % 40 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f} test {evaluate(model, x, y, ~train_mask):.3f}")


if __name__ == "__main__":
    main()
