import torch

from .registry import flat, method, per_task


@method
def pcgrad(losses, shared, heads):
    G = per_task(losses, shared, heads)
    out = G.clone()
    for i in range(len(G)):
        for j in torch.randperm(len(G)).tolist():
            dot = out[i] @ G[j]
            if j != i and dot < 0:
                out[i] -= dot / (G[j] @ G[j] + 1e-9) * G[j]
    return out.sum(0)


@method
def plain(losses, shared, heads):
    own = [w for h in heads for w in h]
    g = torch.autograd.grad(sum(losses), shared + own)
    for w, gw in zip(own, g[len(shared):]):
        w.grad = gw
    return flat(g[:len(shared)])
