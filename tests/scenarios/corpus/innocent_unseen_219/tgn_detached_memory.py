# gradwatch-corpus: kind=none
# Temporal interaction graph; memory is carried over batches, gradients stop at the batch boundary.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(19)
USERS, ITEMS, DIM = 40, 60, 24


class Memory(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.register_buffer("bank", torch.zeros(n, dim))
        self.register_buffer("seen", torch.zeros(n))
        self.msg = nn.Linear(2 * dim + 1, dim)
        self.gru = nn.GRUCell(dim, dim)
        self.queue = []

    def propose(self):
        bank = self.bank
        for a, b, t in self.queue:
            dt = (t - self.seen[a]).unsqueeze(-1)
            m = torch.tanh(self.msg(torch.cat([bank[a], bank[b], dt], -1)))
            bank = bank.index_copy(0, a, self.gru(m, bank[a]))
        return bank

    def commit(self, bank):
        self.bank.copy_(bank.detach())
        for a, _, t in self.queue:
            self.seen[a] = t
        self.queue.clear()

    def enqueue(self, src, dst, t):
        self.queue.append((src, dst, t))
        self.queue.append((dst, src, t))

    def reset(self):
        self.bank.zero_()
        self.seen.zero_()
        self.queue.clear()


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.memory = Memory(USERS + ITEMS, DIM)
        self.base = nn.Embedding(USERS + ITEMS, DIM)
        self.head = nn.Sequential(nn.Linear(2 * DIM, 32), nn.ReLU(), nn.Linear(32, 1))

    def score(self, bank, u, i):
        zu = self.base(u) + bank[u]
        zi = self.base(i) + bank[i]
        return self.head(torch.cat([zu, zi], -1)).squeeze(-1)


def interactions(n_batches, size, g):
    clock = 0.0
    for _ in range(n_batches):
        u = torch.randperm(USERS, generator=g)[:size]
        i = torch.randperm(ITEMS, generator=g)[:size]
        i = torch.where(torch.rand(size, generator=g) < 0.6, (u * 3) % ITEMS, i)
        _, first = torch.unique(i, return_inverse=True)
        keep = torch.zeros(size, dtype=torch.bool)
        order = torch.empty(int(first.max()) + 1, dtype=torch.long).scatter_(0, first, torch.arange(size))
        keep[order] = True
        t = clock + torch.arange(size) * 0.01
        clock += 0.01 * size
        yield u[keep], i[keep] + USERS, t[keep]


def main():
    model = Recommender()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    g = torch.Generator().manual_seed(2)
    curve = []
    for epoch in range(3):
        model.memory.reset()
        total, n = 0.0, 0
        for u, i, t in interactions(35, 20, g):
            bank = model.memory.propose()
            neg = torch.randint(USERS, USERS + ITEMS, i.shape, generator=g)
            pos_s, neg_s = model.score(bank, u, i), model.score(bank, u, neg)
            loss = F.binary_cross_entropy_with_logits(
                torch.cat([pos_s, neg_s]), torch.cat([torch.ones_like(pos_s), torch.zeros_like(neg_s)])
            )
            opt.zero_grad()
            loss.backward()
            opt.step()
            model.memory.commit(bank)
            model.memory.enqueue(u, i, t)
            total += loss.item() * len(u)
            n += len(u)
        curve.append(total / n)
        print(f"epoch {epoch} bce {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
