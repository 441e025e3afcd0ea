import torch


class CosineSchedule:
    def __init__(self, steps, s=0.008):
        u = torch.arange(steps).float() / steps
        self.alpha_bar = torch.cos((u + s) / (1 + s) * torch.pi / 2).square()

    def noisy(self, x0, eps, t):
        ab = self.alpha_bar[t].unsqueeze(1)
        return ab.sqrt() * x0 + (1 - ab).sqrt() * eps
