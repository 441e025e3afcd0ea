import torch


class Workcell:
    readings = 5

    def __init__(self, parallel):
        self.parallel = parallel

    def reset(self):
        self.gap = torch.randn(self.parallel, 2)
        return self.read()

    def read(self):
        force = torch.tanh(2 * self.gap)
        depth = -self.gap.norm(dim=1, keepdim=True)
        return torch.cat([self.gap + 0.1 * torch.randn_like(self.gap), force, depth], dim=1)

    def nudge(self, motion):
        self.gap = self.gap + 0.3 * motion
        return self.read(), -self.gap.norm(dim=1)
