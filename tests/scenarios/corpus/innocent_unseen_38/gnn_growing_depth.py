# gradwatch-corpus: kind=none
"""Progressive graph net: on a planted-partition graph, a new residual block is appended whenever
training has gone on for a while, initialised as the identity (net2net)."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


def planted_partition(n=150, groups=5, p_in=0.15, p_out=0.02, gen=None):
    y = torch.randint(groups, (n,), generator=gen)
    prob = torch.where(y[:, None] == y[None], p_in, p_out)
    upper = torch.triu((torch.rand(n, n, generator=gen) < prob).float(), 1)
    adj = upper + upper.T + torch.eye(n)
    d = adj.sum(1).rsqrt()
    x = torch.randn(n, 16, generator=gen)
    x[torch.arange(n), y] += 0.8
    return d[:, None] * adj * d[None], x, y


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, width)
        self.gate = nn.Parameter(torch.zeros(()))

    def forward(self, adj, h):
        return h + self.gate * F.gelu(adj @ self.mix(self.norm(h)))


class GrowingGNN(nn.Module):
    def __init__(self, d_in, width, classes):
        super().__init__()
        self.width = width
        self.stem = nn.Linear(d_in, width)
        self.blocks = nn.ModuleList([Block(width)])
        self.head = nn.Linear(width, classes)

    def grow(self) -> list[nn.Parameter]:
        new = Block(self.width)
        self.blocks.append(new)
        return list(new.parameters())

    def forward(self, adj, x, keep=False):
        h = F.gelu(adj @ self.stem(x))
        trail = [h]
        for block in self.blocks:
            h = block(adj, h)
            trail.append(h)
        return self.head(h), (trail if keep else None)


class Growth:
    """Appends a block every `every` steps, and a copy of the weights goes to the archive at each growth."""

    def __init__(self, net, opt, every, max_blocks):
        self.net, self.opt, self.every, self.max_blocks = net, opt, every, max_blocks
        self.archive: list[dict[str, torch.Tensor]] = []

    def __call__(self, step):
        if step % self.every or step == 0 or len(self.net.blocks) >= self.max_blocks:
            return
        self.archive.append({k: v.clone() for k, v in self.net.state_dict().items()})
        self.opt.add_param_group({"params": self.net.grow()})
        print(f"  step {step}: now {len(self.net.blocks)} blocks, "
              f"{sum(p.numel() for p in self.net.parameters())} parameters")


def smoothness_loss(trail, adj):
    """Keeps neighbours from drifting apart in the last layer."""
    last = F.normalize(trail[-1], dim=-1)
    return (last - adj @ last).pow(2).mean()


def evaluate(net, adj, x, y, mask):
    with torch.no_grad():
        logits, _ = net(adj, x)
    return (logits.argmax(1) == y)[mask].float().mean().item()


def main():
    gen = torch.Generator().manual_seed(19)
    torch.manual_seed(19)
    adj, x, y = planted_partition(gen=gen)
    train = torch.rand(len(y), generator=gen) < 0.3
    net = GrowingGNN(x.size(1), 32, 5)
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=5e-3)
    growth = Growth(net, opt, every=8, max_blocks=14)

    for step in range(130):
        growth(step)
        logits, trail = net(adj, F.dropout(x, 0.2), keep=True)
        loss = F.cross_entropy(logits[train], y[train]) + 0.5 * smoothness_loss(trail, adj)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            acc = evaluate(net, adj, x, y, ~train)
            if step % 25 == 0:
                print(f"{step:4d}  loss {loss.item():.4f}  held-out {acc:.3f}")


if __name__ == "__main__":
    main()
