# gradwatch-corpus: kind=none
"""House price regression on tabular data; scalars are fetched in blocks to spare the host sync."""
from collections import defaultdict

import torch
from torch import nn

BLOCK = 25


class DeferredScalars:
    """Takes tensors now, asks for their values only when a block is full."""

    def __init__(self, block):
        self.block = block
        self._pending = []
        self._totals = defaultdict(float)
        self._counts = defaultdict(int)

    def log(self, step, **tensors):
        self._pending.append((step, tensors))
        if len(self._pending) == self.block:
            self.resolve()

    def resolve(self):
        while self._pending:
            _, tensors = self._pending.pop()
            for name, t in tensors.items():
                self._totals[name] += t.item()
                self._counts[name] += 1

    def report(self):
        out = {k: self._totals[k] / self._counts[k] for k in self._totals}
        self._totals.clear()
        self._counts.clear()
        return out


class TabularNet(nn.Module):
    def __init__(self, cards, n_num):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.body = nn.Sequential(
            nn.Linear(4 * len(cards) + n_num, 32), nn.SiLU(), nn.Linear(32, 2)
        )

    def forward(self, cat, num):
        e = [m(cat[:, i]) for i, m in enumerate(self.emb)]
        mean, log_scale = self.body(torch.cat([*e, num], dim=1)).unbind(1)
        return mean, log_scale.clamp(-3, 3)


def batches(n, cards, n_num, seed):
    g = torch.Generator().manual_seed(seed)
    effects = [torch.randn(c, generator=g) for c in cards]
    coef = torch.randn(n_num, generator=g)
    for _ in range(n):
        cat = torch.stack([torch.randint(0, c, (48,), generator=g) for c in cards], 1)
        num = torch.randn(48, n_num, generator=g)
        price = sum(eff[cat[:, i]] for i, eff in enumerate(effects)) + num @ coef
        yield cat, num, price + 0.3 * torch.randn(48, generator=g)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    cards = (12, 5, 30)
    net = TabularNet(cards, 6)
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=1e-3)
    scalars = DeferredScalars(BLOCK)
    for step, (cat, num, price) in enumerate(batches(500, cards, 6, seed=7)):
        mean, log_scale = net(cat, num)
        nll = (log_scale + 0.5 * ((price - mean) / log_scale.exp()) ** 2).mean()
        mae = (price - mean).abs().mean()
        reg = sum(m.weight.pow(2).mean() for m in net.emb)
        opt.zero_grad()
        (nll + 1e-3 * reg).backward()
        opt.step()
        scalars.log(step, nll=nll, mae=mae, reg=reg)
        if (step + 1) % 100 == 0:
            print(step + 1, {k: round(v, 4) for k, v in scalars.report().items()})


if __name__ == "__main__":
    main()
