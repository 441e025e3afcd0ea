import torch


class ContextualBandit:
    def __init__(self, dim: int, arms: int, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.theta = torch.randn(dim, arms, generator=self.gen)
        self.dim = dim

    def contexts(self, n: int) -> torch.Tensor:
        return torch.randn(n, self.dim, generator=self.gen)

    def pull(self, ctx: torch.Tensor, arm: torch.Tensor) -> torch.Tensor:
        mean = (ctx @ self.theta).gather(1, arm[:, None]).squeeze(1)
        return torch.tanh(mean) + 0.1 * torch.randn(len(ctx), generator=self.gen)
