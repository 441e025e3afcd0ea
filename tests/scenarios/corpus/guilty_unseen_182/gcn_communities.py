# gradwatch-corpus: kind=graph-held
# holder: snapshots
# first-bad: 1
"""Two-layer GCN on a stochastic block model; embeddings are kept to animate training."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def sbm(sizes, p_in, p_out, gen):
    n = sum(sizes)
    block = torch.cat([torch.full((s,), i) for i, s in enumerate(sizes)])
    same = block[:, None] == block[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu((torch.rand(n, n, generator=gen) < prob).float(), diagonal=1)
    return upper + upper.T, block


def normalise(adj):
    a = adj + torch.eye(adj.shape[0])
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GCN(nn.Module):
    def __init__(self, n_feat, hidden, n_class, p_drop=0.3):
        super().__init__()
        self.lin1 = nn.Linear(n_feat, hidden)
        self.lin2 = nn.Linear(hidden, n_class)
        self.p_drop = p_drop

    def forward(self, x, adj):
        z = torch.relu(adj @ self.lin1(x))
        out = adj @ self.lin2(F.dropout(z, self.p_drop, self.training))
        return out, z


def project_2d(z):
    z = z - z.mean(0)
    _, _, v = torch.linalg.svd(z, full_matrices=False)
    return z @ v[:2].T


def main():
    gen = torch.Generator().manual_seed(4)
    torch.manual_seed(4)
    adj, y = sbm([30, 30, 30], 0.2, 0.04, gen)
    a_hat = normalise(adj)
    x = torch.randn(90, 16, generator=gen)
    train_mask = torch.zeros(90, dtype=torch.bool)
    train_mask[torch.randperm(90, generator=gen)[:18]] = True

    model = GCN(16, 24, 3)
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=5e-4)
    snapshots = []

    for epoch in range(1, 501):
        model.train()
        opt.zero_grad()
        logits, z = model(x, a_hat)
        loss = F.cross_entropy(logits[train_mask], y[train_mask])
        loss.backward()
        opt.step()
        snapshots.append((epoch, z))  # <- culprit

        if epoch % 100 == 0:
            model.eval()
            with torch.no_grad():
                logits, _ = model(x, a_hat)
                acc = (logits.argmax(1) == y)[~train_mask].float().mean()
            print(f"epoch {epoch} loss {loss.item():.4f} test acc {acc:.3f}")

    with torch.no_grad():
        path = torch.stack([project_2d(z) for _, z in snapshots[::50]])
    print("animation frames", tuple(path.shape))


if __name__ == "__main__":
    main()
