import torch


class Blobs:
    """A bright spot that moves over a small screen."""

    def __init__(self, size=48, steps=60):
        self.size, self.steps = size, steps
        axis = torch.linspace(-1, 1, size)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def rollout(self):
        pos, vel = torch.rand(2) - 0.5, 0.05 * torch.randn(2)
        frames = torch.empty(self.steps, self.size, self.size)
        for t in range(self.steps):
            pos = (pos + vel).clamp(-1, 1)
            frames[t] = torch.exp(-20 * ((self.xx - pos[0]) ** 2 + (self.yy - pos[1]) ** 2))
        return frames
