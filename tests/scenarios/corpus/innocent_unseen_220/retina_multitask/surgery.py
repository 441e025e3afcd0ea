import torch


def flatten(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def unflatten(vector, like):
    sizes = [g.numel() for g in like]
    parts = vector.split(sizes)
    return [part.view_as(g) for part, g in zip(parts, like)]


def project_conflicts(per_task):
    flat = [flatten(g) for g in per_task]
    count = 0
    result = torch.zeros_like(flat[0])
    for i, gi in enumerate(flat):
        current = gi.clone()
        for j, gj in enumerate(flat):
            if i == j:
                continue
            dot = current @ gj
            if dot < 0:
                current -= dot / gj.pow(2).sum().clamp_min(1e-12) * gj
                count += 1
        result += current
    return unflatten(result, per_task[0]), count
