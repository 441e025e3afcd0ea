# gradwatch-corpus: kind=none
"""Temporal graph network: node memory, delayed messages, link prediction."""
import torch
import torch.nn.functional as F
from torch import nn


class MessageStore:
    def __init__(self):
        self.last = {}

    def put(self, src, dst, t):
        for s, d, ti in zip(src.tolist(), dst.tolist(), t.tolist()):
            self.last[s] = (d, ti)
            self.last[d] = (s, ti)

    def pop(self, nodes):
        got = [(n, *self.last.pop(n)) for n in nodes.tolist() if n in self.last]
        return got


class NodeMemory(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.register_buffer("mem", torch.zeros(n, dim))
        self.register_buffer("last_t", torch.zeros(n))
        self.cell = nn.GRUCell(2 * dim + 1, dim)
        self.store = MessageStore()
        self.pending = None

    def refresh(self, nodes):
        """Memory rows for `nodes`, with their waiting messages applied."""
        view = self.mem.clone()
        msgs = self.store.pop(nodes)
        if msgs:
            idx, other = (torch.tensor([m[k] for m in msgs]) for k in (0, 1))
            t = torch.tensor([m[2] for m in msgs])
            raw = torch.cat([self.mem[idx], self.mem[other], (t - self.last_t[idx])[:, None]], 1)
            new = self.cell(raw, self.mem[idx])
            view[idx] = new
            self.pending = (idx, new, t)
        return view[nodes]

    def commit(self):
        if self.pending is None:
            return
        idx, new, t = self.pending
        self.mem[idx] = new.detach()
        self.last_t[idx] = t
        self.pending = None

    def reset(self):
        self.mem.zero_(), self.last_t.zero_()
        self.store.last.clear()
        self.pending = None


class TGN(nn.Module):
    def __init__(self, n, dim=24):
        super().__init__()
        self.static = nn.Embedding(n, dim)
        self.memory = NodeMemory(n, dim)
        self.score = nn.Sequential(nn.Linear(4 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, src, dst, neg):
        nodes, inv = torch.cat([src, dst, neg]).unique(return_inverse=True)
        z = torch.cat([self.memory.refresh(nodes), self.static(nodes)], 1)
        s, d, g = z[inv].chunk(3)
        return self.score(torch.cat([s, d], 1)), self.score(torch.cat([s, g], 1))


def events(n_users, n_items, total):
    fav = torch.randint(0, n_items, (n_users,))
    u = torch.randint(0, n_users, (total,))
    i = torch.where(torch.rand(total) < 0.8, fav[u], torch.randint(0, n_items, (total,)))
    return u, n_users + i, torch.arange(total) / 100.0


def main():
    torch.manual_seed(10)
    nu, ni = 40, 20
    u, v, t = events(nu, ni, 1600)
    model = TGN(nu + ni)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(3):
        model.memory.reset()
        total = torch.zeros(())
        for lo in range(0, len(u), 40):
            sl = slice(lo, lo + 40)
            neg = nu + torch.randint(0, ni, (len(u[sl]),))
            pos_s, neg_s = model(u[sl], v[sl], neg)
            loss = F.softplus(-pos_s).mean() + F.softplus(neg_s).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            model.memory.commit()
            model.memory.store.put(u[sl], v[sl], t[sl])
            total += loss.detach()
        print(f"epoch {epoch} loss {total.item() / 40:.4f}")


if __name__ == "__main__":
    main()
