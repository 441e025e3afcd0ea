import torch


def flat_grads(loss, params):
    grads = torch.autograd.grad(loss, params, retain_graph=True)
    return torch.cat([g.reshape(-1) for g in grads])


def project_conflicts(grads):
    out = []
    for i, g in enumerate(grads):
        g = g.clone()
        for j in torch.randperm(len(grads)).tolist():
            if i != j:
                dot = g @ grads[j]
                if dot < 0:
                    g -= dot / grads[j].pow(2).sum() * grads[j]
        out.append(g)
    return torch.stack(out).sum(0)


def assign(params, vector):
    for p, piece in zip(params, vector.split([p.numel() for p in params])):
        p.grad = piece.view_as(p).clone()
