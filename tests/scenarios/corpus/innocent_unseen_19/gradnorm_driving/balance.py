import torch


class GradNorm:
    def __init__(self, n, alpha, lr):
        self.w = torch.ones(n, requires_grad=True)
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.alpha = alpha
        self.first = None
        self.norms = torch.zeros(n)

    def objective(self, losses):
        return (self.w.detach().clone() * losses).sum()

    def adjust(self, losses, shared):
        """One step on the task weights; leaves the graph of `losses` as it was."""
        if self.first is None:
            self.first = losses.detach().clone()
        norms = []
        for weight, loss in zip(self.w, losses):
            (g,) = torch.autograd.grad(weight * loss, shared, create_graph=True)
            norms.append(g.norm())
        norms = torch.stack(norms)
        with torch.no_grad():
            pace = losses / self.first
            target = norms.mean() * (pace / pace.mean()) ** self.alpha
        (grad,) = torch.autograd.grad((norms - target).abs().sum(), self.w)
        self.w.grad = grad
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(len(self.w) / self.w.sum())
        self.norms = norms.detach()
