import torch
import torch.nn as nn


class GradNorm(nn.Module):
    """Chen et al. 2018: task weights chosen so that all tasks train at about the same rate."""

    def __init__(self, n_tasks, alpha=1.5, lr=0.02, beta=0.95):
        super().__init__()
        self.alpha, self.beta = alpha, beta
        self.weights = nn.Parameter(torch.ones(n_tasks))
        self.opt = torch.optim.SGD([self.weights], lr=lr)
        self.initial = None
        self.slow_ratio = torch.ones(n_tasks)
        self.trace = []

    def weighted(self, losses):
        if self.initial is None:
            self.initial = losses.detach().clone()
        return (self.weights.detach() * losses).sum()

    def update(self, losses, shared):
        norms = []
        last = len(losses) - 1
        for i, (w, loss) in enumerate(zip(self.weights, losses)):
            (g,) = torch.autograd.grad(loss, shared, retain_graph=i < last)
            norms.append((w * g).norm())
        norms = torch.stack(norms)
        ratio = losses.detach() / self.initial
        self.slow_ratio = self.beta * self.slow_ratio + (1 - self.beta) * ratio
        inverse_rate = self.slow_ratio / self.slow_ratio.mean()
        goal = norms.mean().detach() * inverse_rate ** self.alpha
        gn_loss = (norms - goal).abs().sum()
        self.opt.zero_grad()
        gn_loss.backward()
        self.opt.step()
        self.trace.append(gn_loss.detach())
        del self.trace[:-50]

    @torch.no_grad()
    def renormalise(self):
        self.weights.clamp_(min=1e-3)
        self.weights.mul_(len(self.weights) / self.weights.sum())
