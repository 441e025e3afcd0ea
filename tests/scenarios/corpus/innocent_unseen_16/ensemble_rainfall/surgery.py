import torch


def _flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def projected_backward(losses, shared, private):
    """PCGrad on the shared parameters; the heads get their ordinary gradients."""
    rows = []
    for loss in losses:
        rows.append(_flat(torch.autograd.grad(loss, shared, retain_graph=True)))
    sum(losses).backward(inputs=private)

    merged = torch.zeros_like(rows[0])
    for i, row in enumerate(rows):
        g = row.clone()
        for j, other in enumerate(rows):
            if i == j:
                continue
            dot = torch.dot(g, other)
            if dot < 0:
                g -= dot / other.pow(2).sum().clamp_min(1e-12) * other
        merged += g

    at = 0
    for p in shared:
        p.grad = merged[at:at + p.numel()].view_as(p).clone()
        at += p.numel()
