import torch


class GradientPenalty:
    def __init__(self, weight=5.0):
        self.weight = weight
        self.last = None
        self.norms = []

    def __call__(self, critic, real, fake):
        mix = torch.rand(real.size(0), 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = critic(point)
        (g,) = torch.autograd.grad(score.sum(), point, create_graph=True)
        norm = g.norm(dim=1)
        self.norms.append(norm.detach().mean().item())
        self.last = self.weight * (norm - 1).pow(2).mean()
        return self.last
