import torch


class ChainBuffer:
    """Keeps one Markov chain per batch row; a few rows start from noise each time."""

    def __init__(self, size, side, fresh):
        self.shape = (1, side, side)
        self.fresh = fresh
        self.chains = torch.rand(size, *self.shape)

    def draw(self):
        new = torch.rand(self.fresh, *self.shape)
        return torch.cat([self.chains[self.fresh:], new])

    def store(self, samples):
        self.chains = samples  # <- culprit

    @torch.no_grad()
    def spread(self):
        return self.chains.flatten(1).std(0).mean()


def langevin(energy, x, steps, step_size, noise):
    """Unadjusted Langevin moves downhill on the energy."""
    x.requires_grad_(True)  # <- culprit
    for _ in range(steps):
        grad, = torch.autograd.grad(energy(x).sum(), x)
        x = x - step_size * grad + noise * torch.randn_like(x)
    return x
