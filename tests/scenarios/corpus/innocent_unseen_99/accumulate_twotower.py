# gradwatch-corpus: kind=none
"""Two-tower retrieval with cached-embedding gradient accumulation (GradCache style).

All micro-batches are embedded once, the contrastive loss is taken over the whole batch on leaf copies,
and the embedding gradients are then pushed through each micro-batch's own graph.
"""
import torch
from torch import nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, n_ids, n_dense, dim=16):
        super().__init__()
        self.ids = nn.Embedding(n_ids, dim)
        self.dense = nn.Linear(n_dense, dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, ids, dense):
        return F.normalize(self.out(torch.relu(self.ids(ids) + self.dense(dense))), dim=-1)


class GradCacheTrainer:
    def __init__(self, query, item, n_micro=3, temperature=0.1):
        self.towers = (query, item)
        self.n_micro, self.temperature = n_micro, temperature
        self.opt = torch.optim.Adam([*query.parameters(), *item.parameters()], lr=4e-3)
        self.cache = []
        self.recall_log = []

    def embed(self, batch):
        leaves = ([], [])
        for q_part, i_part in zip(*(zip(*(x.chunk(self.n_micro) for x in side)) for side in batch)):
            for side, part in enumerate((q_part, i_part)):
                rep = self.towers[side](*part)
                leaf = rep.detach().requires_grad_()
                self.cache.append((rep, leaf))
                leaves[side].append(leaf)
        return [torch.cat(x) for x in leaves]

    def step(self, batch):
        self.opt.zero_grad()
        q, i = self.embed(batch)
        sim = q @ i.t() / self.temperature
        label = torch.arange(len(q))
        forward_loss = F.cross_entropy(sim, label)
        reverse_loss = F.cross_entropy(sim.t(), label)
        forward_loss.backward(retain_graph=True)
        reverse_loss.backward()
        for rep, leaf in self.cache:
            rep.backward(leaf.grad)
        self.opt.step()
        self.cache.clear()
        self.recall_log.append((sim.argmax(1) == label).float().mean())
        return (forward_loss + reverse_loss).item()


def batches(n_iter, size=24, n_ids=80):
    link = torch.randperm(n_ids)
    for _ in range(n_iter):
        ids = torch.randperm(n_ids)[:size]
        yield (ids, torch.randn(size, 4)), (link[ids], torch.randn(size, 4))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(53)
    trainer = GradCacheTrainer(Tower(80, 4), Tower(80, 4))
    for it, batch in enumerate(batches(360)):
        loss = trainer.step(batch)
        if it % 60 == 0:
            recall = torch.stack(trainer.recall_log[-20:]).mean()
            print(f"iter {it:3d} loss {loss:.3f} in-batch recall@1 {recall:.2f}")


if __name__ == "__main__":
    main()
