import torch

METHODS = {}


def method(fn):
    METHODS[fn.__name__] = fn
    return fn


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def per_task(losses, shared, heads):
    """gradient of every task with respect to the trunk, one walk per task over the one trunk"""
    out = []
    for i, (loss, own) in enumerate(zip(losses, heads)):
        g = torch.autograd.grad(loss, shared + own, retain_graph=i < len(losses) - 1)
        for w, gw in zip(own, g[len(shared):]):
            w.grad = gw
        out.append(flat(g[:len(shared)]))
    return torch.stack(out)
