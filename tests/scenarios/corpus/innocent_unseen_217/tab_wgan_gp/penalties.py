import torch

PENALTIES = {}


class GradientPenalty:
    def __init_subclass__(cls, kind, **kw):
        super().__init_subclass__(**kw)
        PENALTIES[kind] = cls

    def __init__(self, weight):
        self.weight, self.norms = weight, []

    def points(self, real, fake):
        raise NotImplementedError

    def __call__(self, critic, real, fake):
        x = self.points(real, fake).requires_grad_(True)
        g, = torch.autograd.grad(critic(x).sum(), x, create_graph=True, retain_graph=True)
        norm = g.norm(2, dim=1)
        self.norms.append(norm.mean().item())
        return self.weight * (norm - 1).pow(2).mean()


class Interpolate(GradientPenalty, kind="interpolate"):
    def points(self, real, fake):
        t = torch.rand(real.size(0), 1)
        return t * real + (1 - t) * fake.detach()


class RealOnly(GradientPenalty, kind="real"):
    def points(self, real, fake):
        return real.clone()
