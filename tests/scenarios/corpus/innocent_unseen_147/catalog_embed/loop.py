import torch
from torch import nn

from .memo import PathMemo


class CategoryEncoder(nn.Module):
    def __init__(self, tree, dim):
        super().__init__()
        self.tree = tree
        self.own = nn.Embedding(len(tree), dim)
        self.down = nn.Linear(dim, dim)
        self.memo = PathMemo(self._compose)

    def _compose(self, memo, node):
        mine = self.own.weight[node]
        up = self.tree.parent[node]
        return torch.tanh(mine if up < 0 else mine + self.down(memo(up)))

    def forward(self, nodes):
        return torch.stack([self.memo(n) for n in nodes])


class CatalogLoop:
    def __init__(self, tree, dim):
        self.tree = tree
        self.enc = CategoryEncoder(tree, dim)
        self.head = nn.Linear(dim, 1)
        self.price = torch.randn(len(tree))
        self.opt = torch.optim.Adam([*self.enc.parameters(), *self.head.parameters()], lr=5e-3)

    def _step(self, nodes):
        with self.enc.memo.batch():
            guess = self.head(self.enc(nodes)).squeeze(1)
            gap = (guess - self.price[nodes]).pow(2).mean()
            self.opt.zero_grad()
            gap.backward()
            self.opt.step()
        return gap.item()

    def run(self, n):
        for _ in range(n):
            pick = torch.randint(len(self.tree.leaves), (4,)).tolist()
            last = self._step([self.tree.leaves[i] for i in pick])
        return last
