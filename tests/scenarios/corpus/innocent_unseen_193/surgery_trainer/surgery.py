import torch


def project(grads):
    flat = [torch.cat([g.flatten() for g in gs]) for gs in grads]
    out = [f.clone() for f in flat]
    for i, a in enumerate(out):
        for j, b in enumerate(flat):
            dot = torch.dot(a, b)
            if i != j and dot < 0:
                a -= dot / b.pow(2).sum() * b
    return sum(out)


def assign(params, flat):
    offset = 0
    for p in params:
        p.grad = flat[offset:offset + p.numel()].view_as(p).clone()
        offset += p.numel()
