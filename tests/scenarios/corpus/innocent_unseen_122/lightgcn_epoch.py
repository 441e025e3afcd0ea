# gradwatch-corpus: kind=none
"""LightGCN. The propagated embeddings are computed once per epoch, the losses of all its
mini-batches are summed, and there's a single backward + step at the end of the epoch."""
import torch

torch.set_num_threads(1)
from torch import nn


class Interactions:
    def __init__(self, users=25, items=30, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.users, self.items, self.g = users, items, g
        p = torch.sigmoid(1.5 * torch.randn(users, 3, generator=g) @ torch.randn(3, items, generator=g) - 1.0)
        self.r = torch.bernoulli(p, generator=g)
        self.pos = self.r.nonzero()

    def adjacency(self):
        n = self.users + self.items
        a = torch.zeros(n, n)
        a[: self.users, self.users:] = self.r
        a = a + a.T
        d = a.sum(1).clamp(min=1).rsqrt()
        return (d[:, None] * a * d[None]).to_sparse()

    def batches(self, size):
        order = torch.randperm(len(self.pos), generator=self.g)
        for idx in order.split(size):
            u, i = self.pos[idx].T
            j = torch.randint(0, self.items, (len(idx),), generator=self.g)
            yield u, i, j


class LightGCN(nn.Module):
    def __init__(self, n_users, n_items, adj, dim=8, hops=2):
        super().__init__()
        self.emb = nn.Parameter(0.1 * torch.randn(n_users + n_items, dim))
        self.adj, self.hops, self.n_users = adj, hops, n_users

    def propagate(self):
        layers = [self.emb]
        for _ in range(self.hops):
            layers.append(torch.sparse.mm(self.adj, layers[-1]))
        return torch.stack(layers).mean(0).split([self.n_users, len(self.emb) - self.n_users])


def bpr(u, i, j, reg=1e-4):
    return -nn.functional.logsigmoid((u * i).sum(1) - (u * j).sum(1)).mean() + reg * (u.norm() + i.norm() + j.norm())


def main():
    torch.manual_seed(4)
    data = Interactions()
    model = LightGCN(data.users, data.items, data.adjacency())
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(450):
        users, items = model.propagate()
        epoch_loss, n = 0.0, 0
        for u, i, j in data.batches(64):
            epoch_loss = epoch_loss + bpr(users[u], items[i], items[j])
            n += 1
        opt.zero_grad()
        epoch_loss.backward()
        opt.step()
        if epoch % 90 == 89:
            print(f"epoch {epoch + 1} bpr {epoch_loss.item() / n:.4f} ({n} batches)")


main()
