import torch


def flat_grads(loss, params, keep):
    gs = torch.autograd.grad(loss, params, retain_graph=keep)
    return torch.cat([g.reshape(-1) for g in gs])


def project(g, other):
    """Remove from g what works against other."""
    d = torch.dot(g, other)
    if d >= 0:
        return g.clone()
    return g - d / other.pow(2).sum() * other


def assign(params, flat):
    i = 0
    for p in params:
        n = p.numel()
        p.grad.copy_(flat[i:i + n].view_as(p))
        i += n
