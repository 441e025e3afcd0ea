# gradwatch-corpus: kind=graph-held
# holder: snapshots
# first-bad: 1
"""GraphSAGE on a stochastic block model, functional style."""
import math
from functools import partial

import torch
import torch.nn.functional as F


def sbm(n_per=40, blocks=4, p_in=0.25, p_out=0.02, seed=1):
    g = torch.Generator().manual_seed(seed)
    n = n_per * blocks
    y = torch.arange(blocks).repeat_interleave(n_per)
    p = torch.where(y[:, None] == y[None, :], p_in, p_out)
    upper = torch.triu(torch.rand(n, n, generator=g) < p, 1)
    adj = (upper | upper.T).float()
    x = torch.randn(n, 16, generator=g) + 0.3 * F.one_hot(y, 16).float()
    return x, adj, y


def init_params(sizes, seed=0):
    g = torch.Generator().manual_seed(seed)
    params = []
    for i, o in zip(sizes[:-1], sizes[1:]):
        w = torch.randn(2 * i, o, generator=g) / math.sqrt(2 * i)
        params.append({"w": w.requires_grad_(), "b": torch.zeros(o, requires_grad=True)})
    return params


def sage_layer(p, adj, h):
    deg = adj.sum(1, keepdim=True).clamp(min=1)
    neigh = adj @ h / deg
    return torch.cat([h, neigh], dim=1) @ p["w"] + p["b"]


def forward(params, adj, x):
    h = x
    for p in params[:-1]:
        h = F.relu(sage_layer(p, adj, h))
    emb = F.normalize(h, dim=1)
    return emb, sage_layer(params[-1], adj, emb)


def drop_edges(adj, rate, gen):
    keep = torch.triu(torch.rand(adj.shape, generator=gen) > rate, 1)
    return adj * (keep | keep.T)


def drift(a, b):
    return (a - b).norm(dim=1).mean().item()


def train(steps=450, lr=0.02, edge_dropout=0.3):
    x, adj, y = sbm()
    gen = torch.Generator().manual_seed(5)
    params = init_params([16, 32, 32, 4])
    flat = [t for p in params for t in p.values()]
    opt = torch.optim.AdamW(flat, lr=lr, weight_decay=1e-3)
    mask = torch.rand(len(y), generator=gen) < 0.3
    net = partial(forward, params)

    snapshots = {}
    for step in range(steps):
        emb, logits = net(drop_edges(adj, edge_dropout, gen), x)
        loss = F.cross_entropy(logits[mask], y[mask])
        opt.zero_grad()
        loss.backward()
        opt.step()
        snapshots[step] = emb  # <- culprit
        if step % 50 == 49:
            with torch.no_grad():
                acc = (net(adj, x)[1].argmax(1) == y)[~mask].float().mean().item()
            moved = drift(snapshots[step], snapshots[step - 49])
            print(f"step {step + 1}: loss {loss.item():.4f} acc {acc:.3f} drift {moved:.4f}")
    return snapshots


if __name__ == "__main__":
    snaps = train()
    print("total drift", drift(snaps[0], snaps[max(snaps)]))
