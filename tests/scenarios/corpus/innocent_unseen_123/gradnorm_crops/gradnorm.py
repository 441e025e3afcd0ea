import torch


class GradNorm:
    """Chen et al. 2018: weights follow the gradient norms at the last shared layer."""

    def __init__(self, tasks, alpha):
        self.alpha = alpha
        self.weights = torch.nn.Parameter(torch.ones(tasks))
        self.first = None

    def objective(self, losses, shared):
        now = losses.detach()
        if self.first is None:
            self.first = now.clone()
        norms = []
        for w, loss in zip(self.weights, losses):
            (g,) = torch.autograd.grad(loss, shared, retain_graph=True)
            norms.append(w * g.norm())
        norms = torch.stack(norms)
        rate = now / self.first
        aim = (norms.mean() * (rate / rate.mean()) ** self.alpha).detach()
        return (norms - aim).abs().sum()

    @torch.no_grad()
    def renormalise(self):
        self.weights.clamp_(min=0.05)
        self.weights.mul_(len(self.weights) / self.weights.sum())
