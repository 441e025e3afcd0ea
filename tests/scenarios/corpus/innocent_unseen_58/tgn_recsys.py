# gradwatch-corpus: kind=none
"""Temporal graph network for next-item recommendation: node memory is updated by raw messages of
the last batch (so that the updater gets a gradient), then written back detached."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class NodeMemory(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.n, self.dim = n, dim
        self.updater = nn.GRUCell(2 * dim, dim)
        self.reset()

    def reset(self):
        self.table = torch.zeros(self.n, self.dim)
        self.messages = {}

    def refresh(self):
        if not self.messages:
            return self.table
        nodes = torch.tensor(sorted(self.messages))
        msgs = torch.stack([self.messages[i] for i in nodes.tolist()])
        new = self.updater(msgs, self.table[nodes])
        return self.table.index_put((nodes,), new)

    def commit(self, current, src, dst):
        self.table = current.detach()
        self.messages.clear()
        for s, t in zip(src.tolist(), dst.tolist()):
            m = torch.cat([self.table[s], self.table[t]])
            self.messages[s] = self.messages[t] = m


class TGN(nn.Module):
    def __init__(self, n_users, n_items, dim=16):
        super().__init__()
        self.n_users = n_users
        self.static = nn.Embedding(n_users + n_items, dim)
        self.memory = NodeMemory(n_users + n_items, dim)
        self.user_proj = nn.Linear(2 * dim, dim)

    def forward(self, users, items):
        mem = self.memory.refresh()
        z = self.user_proj(torch.cat([self.static(users), mem[users]], -1))
        cand = self.static.weight[self.n_users:] + mem[self.n_users:]
        loss = F.cross_entropy(z @ cand.t(), items)
        return loss, mem


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--bs", type=int, default=20)
    args = ap.parse_args()
    torch.manual_seed(6)
    torch.set_num_threads(1)
    U, I, E = 40, 30, 600
    users = torch.randint(0, U, (E,))
    items = (users * 7 + torch.arange(E) // 100 + torch.randint(0, 2, (E,))) % I
    model = TGN(U, I)
    opt = torch.optim.Adam(model.parameters(), 5e-3)
    for ep in range(args.epochs):
        model.memory.reset()
        losses = []
        for u, i in zip(users.split(args.bs), items.split(args.bs)):
            loss, mem = model(u, i)
            opt.zero_grad()
            loss.backward()
            opt.step()
            model.memory.commit(mem, u, i + U)
            losses.append(loss.detach())
        print(f"epoch {ep} loss {torch.stack(losses).mean():.4f}")
