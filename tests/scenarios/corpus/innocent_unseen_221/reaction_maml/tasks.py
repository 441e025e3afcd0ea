import torch


class ReactionFamily:
    """Yield against temperature: each family has its own optimum and width."""

    def __init__(self, gen):
        self.opt_t = torch.rand(1, generator=gen) * 2 - 1
        self.width = 0.3 + 0.5 * torch.rand(1, generator=gen)
        self.top = 0.5 + 0.5 * torch.rand(1, generator=gen)
        self.gen = gen

    def measure(self, n):
        t = 3 * torch.rand(n, 1, generator=self.gen) - 1.5
        y = self.top * torch.exp(-((t - self.opt_t) / self.width) ** 2)
        return t, y
