import torch


class GradNorm:
    def __init__(self, names, alpha):
        self.names, self.alpha = names, alpha
        self.w = torch.ones(len(names), requires_grad=True)
        self.opt = torch.optim.SGD([self.w], lr=0.02)
        self.initial = None

    def update(self, losses, shared):
        values = torch.stack([losses[n] for n in self.names])
        if self.initial is None:
            self.initial = values.detach()
        norms = []
        for name in self.names:
            g, = torch.autograd.grad(losses[name], shared, retain_graph=True)
            norms.append(g.norm())
        norms = self.w * torch.stack(norms)
        pace = values.detach() / self.initial
        goal = norms.mean().detach() * (pace / pace.mean()).pow(self.alpha)
        gap = (norms - goal).abs().sum()
        self.opt.zero_grad()
        gap.backward()
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(len(self.names) / self.w.sum())
        return dict(zip(self.names, self.w.detach().clone())), gap
