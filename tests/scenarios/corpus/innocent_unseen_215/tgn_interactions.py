# gradwatch-corpus: kind=none
"""Temporal graph net for link prediction: node memory is written back after every batch of events."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class NodeMemory(nn.Module):
    def __init__(self, nodes, dim, msg_dim):
        super().__init__()
        self.cell = nn.GRUCell(msg_dim, dim)
        self.register_buffer("state", torch.zeros(nodes, dim))
        self.pending = None

    def fresh(self):
        """Memory with the messages of the last batch applied, with gradients for the cell."""
        if self.pending is None:
            return self.state.clone()
        nodes, msg = self.pending
        updated = self.cell(msg, self.state[nodes])
        return self.state.index_copy(0, nodes, updated)

    def commit(self, memory):
        self.state.copy_(memory.detach())

    def put(self, nodes, msg):
        uniq, inv = torch.unique(nodes, return_inverse=True)
        mean = torch.zeros(len(uniq), msg.shape[1]).index_add_(0, inv, msg)
        count = torch.bincount(inv, minlength=len(uniq)).unsqueeze(1)
        self.pending = (uniq, mean / count)


class TGN(nn.Module):
    def __init__(self, nodes, dim=24, edge_dim=4):
        super().__init__()
        self.static = nn.Embedding(nodes, dim)
        self.memory = NodeMemory(nodes, dim, 2 * dim + edge_dim)
        self.pred = nn.Sequential(nn.Linear(4 * dim, 48), nn.ReLU(), nn.Linear(48, 1))

    def embed(self, mem, idx):
        return torch.cat([mem[idx], self.static(idx)], -1)

    def score(self, mem, a, b):
        return self.pred(torch.cat([self.embed(mem, a), self.embed(mem, b)], -1)).squeeze(-1)

    def remember(self, mem, src, dst, feat):
        m = mem.detach()
        self.memory.commit(m)
        msg = torch.cat([torch.cat([m[src], m[dst], feat], -1), torch.cat([m[dst], m[src], feat], -1)])
        self.memory.put(torch.cat([src, dst]), msg)


def events(n_batches, nodes, batch):
    group = torch.randint(0, 4, (nodes,))
    for _ in range(n_batches):
        src = torch.randint(0, nodes, (batch,))
        dst = torch.randint(0, nodes, (8, batch))
        match = (group[dst] == group[src]).float() + 0.01 * torch.rand(8, batch)
        dst = dst.gather(0, match.argmax(0, keepdim=True))[0]
        feat = F.one_hot(group[src], 4).float() + 0.3 * torch.randn(batch, 4)
        yield src, dst, torch.randint(0, nodes, (batch,)), feat


def main():
    torch.manual_seed(23)
    model = TGN(150)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses, hits = [], []
    for b, (src, dst, neg, feat) in enumerate(events(150, 150, 64)):
        mem = model.memory.fresh()
        pos_s, neg_s = model.score(mem, src, dst), model.score(mem, src, neg)
        loss = F.softplus(-pos_s).mean() + F.softplus(neg_s).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.remember(mem, src, dst, feat)
        losses.append(loss.item())
        hits.append((pos_s > neg_s).float().mean().item())
        if (b + 1) % 50 == 0:
            print(f"batch {b + 1} loss {sum(losses[-50:]) / 50:.4f} rank acc {sum(hits[-50:]) / 50:.3f}")


if __name__ == "__main__":
    main()
