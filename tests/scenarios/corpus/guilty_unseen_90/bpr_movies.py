# gradwatch-corpus: kind=graph-held
# holder: self._deferred | progress._deferred
# first-bad: 1
# notice: 8
"""BPR matrix factorisation on implicit feedback, from the 'RecSys from scratch' tutorial.

Usage: python bpr_movies.py
"""
import functools
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

USERS, ITEMS, DIM = 300, 200, 16


class Progress:
    """Formatting was slow in the loop, so lines are built when somebody wants them."""

    def __init__(self, stream=sys.stdout, show_last=5):
        self.stream = stream
        self.show_last = show_last
        self._deferred = []

    def line(self, template, **values):
        self._deferred.append(functools.partial(template.format, **values))  # <- culprit

    def tail(self):
        for make in self._deferred[-self.show_last:]:
            print(make(), file=self.stream)

    def __len__(self):
        return len(self._deferred)


def synth(seed=3):
    g = torch.Generator().manual_seed(seed)
    u, v = torch.randn(USERS, 4, generator=g), torch.randn(ITEMS, 4, generator=g)
    pop = torch.rand(ITEMS, generator=g)
    score = u @ v.t() + pop
    pos = score > score.quantile(0.93, dim=1, keepdim=True)
    return pos


class BPR(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(USERS, DIM)
        self.item = nn.Embedding(ITEMS, DIM)
        self.bias = nn.Embedding(ITEMS, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def forward(self, u, i, j):
        margin = self.score(u, i) - self.score(u, j)
        reg = self.user(u).pow(2).mean() + self.item(i).pow(2).mean() + self.item(j).pow(2).mean()
        return margin, reg


def sampler(pos, batch):
    users, items = pos.nonzero(as_tuple=True)
    while True:
        k = torch.randint(len(users), (batch,))
        yield users[k], items[k], torch.randint(ITEMS, (batch,))


@torch.no_grad()
def hit_rate(model, pos, k=10):
    all_scores = model.user.weight @ model.item.weight.t() + model.bias.weight.t()
    top = all_scores.topk(k, dim=1).indices
    return pos.gather(1, top).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    pos = synth()
    model = BPR()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    progress = Progress()
    for step, (u, i, j) in enumerate(sampler(pos, 128)):
        if step == 400:
            break
        margin, reg = model(u, i, j)
        rank = -F.logsigmoid(margin).mean()
        auc = (margin > 0).float().mean()
        loss = rank + 0.01 * reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        progress.line("step {step}: rank {rank:.4f} auc {auc:.3f}", step=step, rank=rank, auc=auc)  # <- culprit
        if (step + 1) % 100 == 0:
            progress.tail()
            print(f"  hit@10 {hit_rate(model, pos):.3f}  ({len(progress)} lines so far)")


if __name__ == "__main__":
    main()
