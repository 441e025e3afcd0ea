import torch
import torch.nn as nn


class GradNorm:
    def __init__(self, n_tasks, alpha, lr):
        self.w = nn.Parameter(torch.ones(n_tasks))
        self.alpha, self.n = alpha, n_tasks
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.initial = None

    def backward(self, losses, shared):
        stacked = torch.stack(losses)
        if self.initial is None:
            self.initial = stacked.detach()
        weighted = self.w.detach() * stacked
        weighted.sum().backward(retain_graph=True)

        norms = []
        for i, loss in enumerate(losses):
            (g,) = torch.autograd.grad(loss, shared, retain_graph=i < self.n - 1)
            norms.append(self.w[i] * g.norm())
        norms = torch.stack(norms)
        ratio = stacked.detach() / self.initial
        target = (norms.mean() * (ratio / ratio.mean()) ** self.alpha).detach()
        gn_loss = (norms - target).abs().sum()
        self.opt.zero_grad()
        gn_loss.backward()
        return gn_loss.item()

    def step(self):
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(self.n / self.w.sum())

    def current(self):
        return self.w.tolist()
