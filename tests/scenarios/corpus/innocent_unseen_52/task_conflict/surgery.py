import torch


def flat_grads(params, take=False):
    flat = torch.cat([p.grad.flatten() for p in params])
    if take:
        for p in params:
            p.grad = None
    return flat


def project(params, a, b):
    """Sum of two gradients, each without what runs against the other; put into .grad."""
    cos = torch.nn.functional.cosine_similarity(a, b, dim=0).item()
    dot = a @ b
    both = a + b
    if dot < 0:
        both = both - dot / b.norm() ** 2 * b - dot / a.norm() ** 2 * a
    at = 0
    for p in params:
        n = p.numel()
        p.grad = both[at:at + n].view_as(p).clone()
        at += n
    return cos
