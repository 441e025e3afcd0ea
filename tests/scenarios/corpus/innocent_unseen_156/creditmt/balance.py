import torch


class GradNorm:
    def __init__(self, tasks, shared, alpha):
        self.weights = torch.ones(tasks, requires_grad=True)
        self.shared = shared
        self.alpha = alpha
        self.initial = None
        self.trace = []

    def imbalance(self, losses):
        if self.initial is None:
            self.initial = losses.detach().clone()
        norms = torch.stack([
            torch.autograd.grad(w * l, self.shared, retain_graph=True, create_graph=True)[0].norm()
            for w, l in zip(self.weights, losses)
        ])
        pace = losses.detach() / self.initial
        wanted = (norms.mean() * (pace / pace.mean()) ** self.alpha).detach()
        return (norms - wanted).abs().sum()

    @torch.no_grad()
    def renormalise(self):
        self.weights.clamp_(min=0.05)
        self.weights.mul_(len(self.weights) / self.weights.sum())
