# gradwatch-corpus: kind=none
"""GraphSAGE with historical embeddings: nodes outside the mini-batch are served from the values they had when last seen."""
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F


class History(nn.Module):
    """One row per node, overwritten as the batches come by."""

    def __init__(self, n, d):
        super().__init__()
        self.register_buffer("rows", torch.zeros(n, d))
        self.register_buffer("stamp", torch.full((n,), -1))

    def pull(self, nodes):
        return self.rows[nodes]

    @torch.no_grad()
    def push(self, nodes, h, now):
        self.rows[nodes] = h
        self.stamp[nodes] = now

    def staleness(self, now):
        known = self.stamp >= 0
        return (now - self.stamp[known]).float().mean().item() if known.any() else 0.0


class SAGE(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own, self.others = nn.Linear(d_in, d_out), nn.Linear(d_in, d_out, bias=False)

    def forward(self, h, h_all, a_rows):
        return self.own(h) + self.others(a_rows @ h_all)


class HistoricalGNN(nn.Module):
    def __init__(self, n, d, hidden, classes):
        super().__init__()
        self.c1, self.c2, self.c3 = SAGE(d, hidden), SAGE(hidden, hidden), SAGE(hidden, classes)
        self.histories = nn.ModuleList([History(n, hidden), History(n, hidden)])

    def blend(self, history, nodes, h):
        full = history.rows.clone()
        return full.index_copy(0, nodes, h)

    def forward(self, x, a, nodes, now):
        rows = a[nodes]
        h1 = F.relu(self.c1(x[nodes], x, rows))
        all1 = self.blend(self.histories[0], nodes, h1)
        h2 = F.relu(self.c2(h1, all1, rows))
        all2 = self.blend(self.histories[1], nodes, h2)
        out = self.c3(h2, all2, rows)
        if self.training:
            self.histories[0].push(nodes, h1, now)
            self.histories[1].push(nodes, h2, now)
        return out


@contextmanager
def captured(module):
    """The output of a module during the block; the hook goes with it."""
    box = {}
    handle = module.register_forward_hook(lambda m, args, out: box.__setitem__("out", out))
    try:
        yield box
    finally:
        handle.remove()
        box.clear()


def ring_of_groups(groups=6, size=30, d=12, seed=0):
    g = torch.Generator().manual_seed(seed)
    n = groups * size
    y = torch.arange(n) // size
    gap = (y[:, None] - y[None, :]).abs()
    gap = torch.minimum(gap, groups - gap)
    p = torch.tensor([0.2, 0.03, 0.0, 0.0])[gap.clamp(max=3)]
    a = torch.rand(n, n, generator=g).lt(p).float().triu(1)
    a = a + a.t()
    a = a / a.sum(1, keepdim=True).clamp_min(1)
    x = torch.randn(groups, d, generator=g)[y] * 0.5 + torch.randn(n, d, generator=g)
    return x, a, y


def main(epochs=50, parts=5):
    torch.manual_seed(0)
    x, a, y = ring_of_groups()
    n = len(y)
    labelled = torch.rand(n) < 0.3
    model = HistoricalGNN(n, x.shape[1], 32, 6)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3, weight_decay=1e-4)
    now = 0
    for epoch in range(epochs):
        total = torch.zeros(())
        for nodes in torch.randperm(n).chunk(parts):
            with captured(model.c2) as box:
                out = model(x, a, nodes, now)
                keep = labelled[nodes]
                loss = F.cross_entropy(out[keep], y[nodes][keep]) + 1e-3 * box["out"].pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.detach()
            now += 1
        if epoch % 10 == 9:
            model.eval()
            with torch.no_grad():
                pred = model(x, a, torch.arange(n), now).argmax(1)
            model.train()
            hit = (pred == y)[~labelled].float().mean().item()
            print(f"epoch {epoch + 1:3d}  loss {total.item() / parts:.3f}  test {hit:.3f}  "
                  f"stale {model.histories[0].staleness(now):.1f}")


if __name__ == "__main__":
    main()
