# gradwatch-corpus: kind=none
"""Mini-batch GCN with historical embeddings in the spirit of GNNAutoScale: what a batch does not compute is pulled from a
table of what earlier batches computed. Small random-geometric graph, one file."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)

N, K, FEAT, HID, PARTS, EPOCHS = 480, 3, 10, 24, 8, 45


def geometric_graph(n, radius=0.11):
    pos = torch.rand(n, 2)
    adj = (torch.cdist(pos, pos) < radius).float()
    deg = adj.sum(1)
    norm = adj / (deg[:, None] * deg[None, :]).sqrt()
    label = (pos[:, 0] * K).long().clamp_max(K - 1)
    x = F.one_hot(label, K).float() @ torch.randn(K, FEAT) * 0.3 + torch.randn(n, FEAT)
    return pos, norm, x, label


class History(nn.Module):
    """A table of embeddings with the age of each row."""

    def __init__(self, n, dim):
        super().__init__()
        self.register_buffer("emb", torch.zeros(n, dim))
        self.register_buffer("age", torch.zeros(n))

    @torch.no_grad()
    def push(self, idx, h):
        self.emb[idx] = h
        self.age += 1
        self.age[idx] = 0

    def mix(self, idx, h):
        """All rows from the table, but those of the batch, which are fresh."""
        return self.emb.index_copy(0, idx, h)


class HistGCN(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm
        self.lins = nn.ModuleList([nn.Linear(FEAT, HID), nn.Linear(HID, HID), nn.Linear(HID, K)])
        self.hist = nn.ModuleList([History(N, HID), History(N, HID)])

    def forward(self, x, idx):
        rows = self.norm[idx]
        h = F.relu(self.lins[0](rows @ x))
        for lin, hist in zip(self.lins[1:], self.hist):
            full = hist.mix(idx, h)
            hist.push(idx, h)
            z = lin(rows @ full)
            h = F.relu(z)
        return z

    @torch.no_grad()
    def full(self, x):
        h = x
        for k, lin in enumerate(self.lins):
            h = lin(self.norm @ h)
            if k < len(self.lins) - 1:
                h = F.relu(h)
        return h


def partition(pos, parts):
    """Strips along the second coordinate."""
    return pos[:, 1].argsort().chunk(parts)


def main():
    pos, norm, x, y = geometric_graph(N)
    train_mask = torch.rand(N) < 0.4
    model = HistGCN(norm)
    opt = torch.optim.Adam(model.parameters(), lr=6e-3, weight_decay=1e-4)
    parts = partition(pos, PARTS)
    it = 0
    seen = {}
    for epoch in range(EPOCHS):
        for p in torch.randperm(PARTS).tolist():
            idx = parts[p]
            out = model(x, idx)
            m = train_mask[idx]
            loss = F.cross_entropy(out[m], y[idx][m])
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen[p] = out.detach()
            it += 1
        if epoch % 11 == 0:
            pred = model.full(x).argmax(1)
            stale = torch.cat([seen[p].argmax(1) == y[parts[p]] for p in sorted(seen)]).float().mean()
            acc = (pred == y)[~train_mask].float().mean()
            print(f"epoch {epoch:3d} it {it:4d} loss {loss.item():.3f} test {acc.item():.3f} "
                  f"as-trained {stale.item():.3f} mean age {model.hist[0].age.mean().item():.2f}")


main()
