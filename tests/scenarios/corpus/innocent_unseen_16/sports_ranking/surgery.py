import torch


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def unflat(vector, like):
    out, at = [], 0
    for g in like:
        out.append(vector[at:at + g.numel()].view_as(g).clone())
        at += g.numel()
    return out


def project_conflicts(first, second):
    """Sum of two gradients, each freed of its component against the other. Second value: whether they conflicted."""
    a, b = flat(first), flat(second)
    dot = torch.dot(a, b)
    if dot >= 0:
        return unflat(a + b, first), 0
    a_free = a - dot / b.dot(b).clamp_min(1e-12) * b
    b_free = b - dot / a.dot(a).clamp_min(1e-12) * a
    return unflat(a_free + b_free, first), 1
