import random

import torch


def project_conflicts(losses, net, opt):
    params = list(net.parameters())
    flat = []
    for i, loss in enumerate(losses):
        opt.zero_grad()
        loss.backward(retain_graph=i + 1 < len(losses))
        flat.append(torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in params]))
    out = []
    for i, g in enumerate(flat):
        g = g.clone()
        others = [h for j, h in enumerate(flat) if j != i]
        random.shuffle(others)
        for h in others:
            dot = g @ h
            if dot < 0:
                g -= dot / (h @ h + 1e-12) * h
        out.append(g)
    total = torch.stack(out).sum(0)
    for p, piece in zip(params, total.split([p.numel() for p in params])):
        p.grad = piece.view_as(p).clone()
