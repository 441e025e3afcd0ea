import torch


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def project_conflicts(losses, shared, heads):
    """PCGrad for two tasks: writes .grad of the shared weights, returns the cosine."""
    a, b = losses
    ga = flat(torch.autograd.grad(a, shared, retain_graph=True))
    gb = flat(torch.autograd.grad(b, shared, retain_graph=True))
    dot = ga @ gb
    pa, pb = ga, gb
    if dot < 0:
        pa = ga - dot / gb.square().sum() * gb
        pb = gb - dot / ga.square().sum() * ga
    (a + b).backward(inputs=heads)
    both, at = pa + pb, 0
    for p in shared:
        p.grad = both[at:at + p.numel()].view_as(p).clone()
        at += p.numel()
    return (dot / (ga.norm() * gb.norm() + 1e-9)).item()
