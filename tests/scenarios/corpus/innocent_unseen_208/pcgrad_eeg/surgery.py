"""Gradient surgery across task losses that share a trunk."""
import torch


def flat_grad(loss, params, keep):
    grads = torch.autograd.grad(loss, params, retain_graph=keep, allow_unused=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(params, grads)])


def project(grads, gen):
    merged = []
    for i, g in enumerate(grads):
        g = g.clone()
        for j in torch.randperm(len(grads), generator=gen).tolist():
            if j == i:
                continue
            dot = torch.dot(g, grads[j])
            if dot < 0:
                g -= dot / grads[j].square().sum().clamp(min=1e-12) * grads[j]
        merged.append(g)
    return torch.stack(merged).sum(0)


class GradientSurgeon:
    def __init__(self, params, seed=0, momentum=0.9):
        self.params = list(params)
        self.gen = torch.Generator().manual_seed(seed)
        self.momentum = momentum
        self.cosines = []
        self.mean_grad = None

    def backward(self, losses):
        last = len(losses) - 1
        grads = [flat_grad(loss, self.params, keep=i < last) for i, loss in enumerate(losses)]
        self.cosines.append(torch.cosine_similarity(grads[0], grads[1], dim=0).item())
        total = project(grads, self.gen)
        if self.mean_grad is None:
            self.mean_grad = total
        else:
            self.mean_grad = self.momentum * self.mean_grad + (1 - self.momentum) * total
        offset = 0
        for p in self.params:
            p.grad = total[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
