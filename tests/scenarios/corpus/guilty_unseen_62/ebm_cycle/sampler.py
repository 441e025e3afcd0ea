"""Short-run Langevin dynamics on persistent chains."""
import torch


class ChainBank:
    """Persistent chains, visited in turn: one block of chains per batch."""

    def __init__(self, n_blocks, block_size, dim, spread=2.0):
        self.slots = [spread * torch.randn(block_size, dim) for _ in range(n_blocks)]
        self.cursor = 0

    def take(self):
        return self.slots[self.cursor]

    def put(self, x):
        """Store the walked block and go on to the next one."""
        self.slots[self.cursor] = x  # <- culprit
        self.cursor = (self.cursor + 1) % len(self.slots)


class Langevin:
    """x <- x - s/2 grad E(x) + sqrt(s) * noise, differentiable in the energy.

    The walk keeps its derivative with respect to the energy's parameters, as
    the sampler term of the improved contrastive divergence objective needs it.
    """

    def __init__(self, step=0.05, n_steps=4, temperature=0.5):
        self.step = step
        self.n_steps = n_steps
        self.temperature = temperature

    def walk(self, energy, start):
        x = start.requires_grad_()
        for _ in range(self.n_steps):
            (g,) = torch.autograd.grad(energy(x).sum(), x, create_graph=True)
            noise = (self.temperature * self.step) ** 0.5 * torch.randn_like(x)
            x = x - 0.5 * self.step * g.clamp(-10, 10) + noise
        return x
