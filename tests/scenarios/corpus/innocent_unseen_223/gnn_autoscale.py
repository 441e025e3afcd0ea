# gradwatch-corpus: kind=none
"""Mini-batch GCN with historical embeddings for out-of-batch neighbours (GNNAutoScale)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class History:
    def __init__(self, n, dim):
        self.emb = torch.zeros(n, dim)
        self.age = torch.zeros(n, dtype=torch.long)

    @torch.no_grad()
    def push(self, ids, x):
        self.age += 1
        self.age[ids] = 0
        self.emb[ids] = x

    def pull(self, ids):
        return self.emb[ids]


class GASGCN(nn.Module):
    def __init__(self, n_nodes, d_in, d_h, n_cls, n_layers=3):
        super().__init__()
        dims = [d_in] + [d_h] * (n_layers - 1) + [n_cls]
        self.lins = nn.ModuleList([nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:])])
        self.histories = [History(n_nodes, d_h) for _ in range(n_layers - 1)]

    def push_and_pull(self, history, h, batch, halo):
        history.push(batch, h[:len(batch)])
        return torch.cat([h[:len(batch)], history.pull(halo)])

    def forward(self, x, adj, batch, halo):
        ids = torch.cat([batch, halo])
        h = x[ids]
        a = adj[ids][:, ids]
        a = a / a.sum(1, keepdim=True)
        for lin, history in zip(self.lins[:-1], self.histories):
            h = F.relu(lin(a @ h))
            h = F.dropout(h, 0.2, self.training)
            h = self.push_and_pull(history, h, batch, halo)
        return self.lins[-1](a @ h)[:len(batch)]


def sbm(n, n_cls):
    y = torch.arange(n) % n_cls
    same = y[:, None] == y[None, :]
    prob = torch.where(same, 0.12, 0.01)
    upper = torch.triu(torch.rand(n, n) < prob, 1)
    adj = (upper | upper.t()).float() + torch.eye(n)
    x = torch.randn(n, 16) + 0.6 * F.one_hot(y, 16).float()
    return x, adj, y


def partitions(n, k):
    return torch.randperm(n).chunk(k)


def neighbours(adj, batch):
    touched = adj[batch].sum(0) > 0
    touched[batch] = False
    return touched.nonzero().squeeze(1)


def main(epochs=25, parts=5):
    torch.manual_seed(64)
    x, adj, y = sbm(240, 4)
    train_mask = torch.rand(240) < 0.5
    model = GASGCN(240, 16, 32, 4)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        hits = 0
        for batch in partitions(240, parts):
            out = model(x, adj, batch, neighbours(adj, batch))
            mask = train_mask[batch]
            loss = F.cross_entropy(out[mask], y[batch][mask])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(model.parameters(), 1.0)
            opt.step()
            total += loss.detach()
            hits += (out.argmax(1) == y[batch])[~mask].sum()
        if epoch % 8 == 0:
            stale = model.histories[0].age.float().mean().item()
            print(f"epoch {epoch} loss {total.item() / parts:.3f} test {hits.item() / (~train_mask).sum().item():.3f} age {stale:.1f}")


main()
