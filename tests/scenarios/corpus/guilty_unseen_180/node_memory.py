# gradwatch-corpus: kind=graph-chain
# holder: memory[v] | self.rows[v] | self.rows | memory.rows
# first-bad: 1
"""Temporal graph net: every node of a small graph keeps a latest memory row."""
import random

import torch
import torch.nn.functional as F
from torch import nn

N_NODES = 8
DIM = 12


class NodeMemory:
    def __init__(self, n, dim, momentum):
        self.rows = {v: torch.zeros(dim) for v in range(n)}
        self.momentum = momentum

    def __getitem__(self, v):
        return self.rows[v]

    def write(self, v, message):
        self.rows[v] = self.momentum * self.rows[v] + message  # <- culprit

    def gather(self, nodes):
        return torch.stack([self.rows[v] for v in nodes])

    def norm(self):
        return sum(r.detach().norm().item() for r in self.rows.values()) / len(self.rows)


class LinkModel(nn.Module):
    def __init__(self, n_feat, dim):
        super().__init__()
        self.message = nn.Linear(n_feat, dim)
        self.head = nn.Linear(2 * dim, 1)

    def score(self, src, dst):
        return self.head(torch.cat([src, dst], dim=-1)).squeeze(-1)


class Interactions:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        gen = torch.Generator().manual_seed(seed)
        self.feat = torch.randn(N_NODES, 8, generator=gen)
        self.gen = gen

    def batch(self, k=2):
        nodes = self.rng.sample(range(N_NODES), 2 * k)
        src, dst = nodes[:k], nodes[k:]
        x = self.feat[src + dst] + 0.2 * torch.randn(2 * k, 8, generator=self.gen)
        y = ((self.feat[src] * self.feat[dst]).sum(-1) > 0).float()
        return src, dst, x, y


def main():
    torch.manual_seed(107)
    stream = Interactions(seed=4)
    model = LinkModel(8, DIM)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    memory = NodeMemory(N_NODES, DIM, momentum=0.7)
    avg = 0.0
    for it in range(420):
        src, dst, x, y = stream.batch()
        messages = (1 - memory.momentum) * model.message(x)
        for v, row in zip(src + dst, messages.unbind(0)):
            memory.write(v, row)
        logits = model.score(memory.gather(src), memory.gather(dst))
        loss = F.binary_cross_entropy_with_logits(logits, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        avg += 0.03 * (loss.item() - avg)
        if it % 70 == 69:
            print(f"{it + 1}: loss {avg:.4f} memory norm {memory.norm():.3f}")


if __name__ == "__main__":
    main()
