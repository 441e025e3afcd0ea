import torch


class GaussianStats:
    """Mean and precision of the normal class in latent space."""

    def __init__(self, dim, momentum):
        self.momentum = momentum
        self.mean = torch.zeros(dim)
        self.cov = torch.eye(dim)
        self.precision = torch.eye(dim)

    def distance(self, z):
        d = z - self.mean
        return (d @ self.precision * d).sum(-1)

    @torch.no_grad()
    def update(self, z):
        m = self.momentum
        self.mean.lerp_(z.mean(0), m)
        self.cov.lerp_(torch.cov(z.t()), m)
        eye = torch.eye(len(self.mean))
        self.precision.copy_(torch.linalg.inv(self.cov + 0.1 * eye))  # <- culprit
