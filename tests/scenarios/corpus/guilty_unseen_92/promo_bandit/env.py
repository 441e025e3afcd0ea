from __future__ import annotations

import torch
from torch import Tensor


class PromoEnv:
    def __init__(self, n_context: int, n_arms: int, batch: int) -> None:
        self.n_context, self.n_arms, self.batch = n_context, n_arms, batch
        self._w = torch.randn(n_context, n_arms)

    def contexts(self) -> Tensor:
        return torch.randn(self.batch, self.n_context)

    def reward(self, ctx: Tensor, arm: Tensor) -> Tensor:
        mean = torch.sigmoid(ctx @ self._w).gather(1, arm[:, None]).squeeze(1)
        return mean + 0.1 * torch.randn_like(mean)
