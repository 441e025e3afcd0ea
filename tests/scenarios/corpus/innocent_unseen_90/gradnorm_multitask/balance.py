import torch


class GradNorm:
    def __init__(self, shared_weight, tasks, alpha, lr):
        self.shared, self.alpha, self.lr = shared_weight, alpha, lr
        self.w = torch.ones(tasks, requires_grad=True)
        self.initial = None

    def combine(self, losses):
        return sum(w * l for w, l in zip(self.w.detach(), losses))

    def update(self, losses):
        if self.initial is None:
            self.initial = [l.item() for l in losses]
        norms = []
        for w, l in zip(self.w, losses):
            (g,) = torch.autograd.grad(w * l, self.shared, create_graph=True, retain_graph=True)
            norms.append(g.norm())
        norms = torch.stack(norms)
        with torch.no_grad():
            rate = torch.tensor([l.item() / i for l, i in zip(losses, self.initial)])
            goal = norms.mean() * (rate / rate.mean()) ** self.alpha
        (gw,) = torch.autograd.grad((norms - goal).abs().sum(), self.w)
        with torch.no_grad():
            new = (self.w - self.lr * gw).clamp(min=0.05)
        self.w = (new * len(new) / new.sum()).requires_grad_(True)

    @property
    def weights(self):
        return [round(v, 3) for v in self.w.tolist()]
