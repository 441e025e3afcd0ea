# gradwatch-corpus: kind=graph-chain
# holder: self.table | memory.table | model.memory.table | self.memory.table
# first-bad: 1
"""Link prediction on an event stream with a per-node memory (python -m tgn_events)."""
import torch
import torch.nn.functional as F
from torch import nn

from .memory import NodeMemory
from .optim import PlainAdagrad


class EventModel(nn.Module):
    def __init__(self, n_nodes, dim=16, feat=6):
        super().__init__()
        self.memory = NodeMemory(n_nodes, dim)
        self.message = nn.Sequential(nn.Linear(2 * dim + feat, dim), nn.ReLU())
        self.cell = nn.GRUCell(dim, dim)
        self.score = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def link(self, ha, hb):
        return self.score(torch.cat([ha, hb], -1)).squeeze(-1)

    def refresh(self, src, dst, feat):
        ms, md = self.memory.read(src), self.memory.read(dst)
        to_src = self.message(torch.cat([ms, md, feat], -1))
        to_dst = self.message(torch.cat([md, ms, feat], -1))
        return self.cell(to_src, ms), self.cell(to_dst, md)


def event_batches(n_nodes, n_batches, size, feat):
    half = n_nodes // 2
    taste = torch.randint(0, 4, (n_nodes,))
    for _ in range(n_batches):
        src = torch.randperm(half)[:size]
        dst = half + torch.randperm(half)[:size]
        same = (taste[src] == taste[dst]).float()
        yield src, dst, half + torch.randint(0, half, (size,)), torch.randn(size, feat) + same[:, None]


def train(n_nodes=80, n_batches=80):
    model = EventModel(n_nodes)
    opt = PlainAdagrad(model.parameters(), lr=0.02)
    for i, (src, dst, neg, feat) in enumerate(event_batches(n_nodes, n_batches, 16, 6)):
        hs, hd = model.refresh(src, dst, feat)
        pos, negs = model.link(hs, hd), model.link(hs, model.memory.read(neg))
        loss_pos = F.binary_cross_entropy_with_logits(pos, torch.ones_like(pos))
        loss_neg = F.binary_cross_entropy_with_logits(negs, torch.zeros_like(negs))
        opt.zero_grad()
        loss_pos.backward(retain_graph=True)
        loss_neg.backward(retain_graph=True)
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        opt.step()
        model.memory.write(torch.cat([src, dst]), torch.cat([hs, hd]))  # <- culprit
        if i % 20 == 0:
            print(f"batch {i} loss {loss_pos.item() + loss_neg.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(21)
    torch.set_num_threads(1)
    train()
