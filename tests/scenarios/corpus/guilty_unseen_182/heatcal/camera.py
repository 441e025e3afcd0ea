import torch

from .plate import laplacian


class FrameStream:
    def __init__(self, size, kappa, decay, noise, dt=0.1):
        self.kappa, self.decay, self.noise, self.dt = kappa, decay, noise, dt
        g = torch.Generator().manual_seed(99)
        self.u = torch.rand(1, 1, size, size, generator=g)
        self.gen = g
        self.source = torch.zeros_like(self.u)
        self.source[..., 4:7, 4:7] = 0.3

    def initial(self):
        return self.u.clone()

    def take(self, n):
        for _ in range(n):
            rate = self.kappa * laplacian(self.u) - self.decay * self.u + self.source
            self.u = self.u + self.dt * rate
            yield self.u + self.noise * torch.randn(self.u.shape, generator=self.gen)
