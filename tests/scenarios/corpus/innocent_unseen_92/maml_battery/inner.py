from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call

Params = dict[str, Tensor]


class InnerLoop(nn.Module):
    """Differentiable adaptation; owns a learnable log step size per parameter."""

    def __init__(self, net: nn.Module, steps: int, lr: float = 0.1) -> None:
        super().__init__()
        self.net, self.steps = net, steps
        self.names = [n for n, _ in net.named_parameters()]
        self.log_lr = nn.Parameter(torch.full((len(self.names),), lr).log())

    def loss(self, params: Params, data: tuple[Tensor, Tensor]) -> Tensor:
        x, y = data
        return F.mse_loss(functional_call(self.net, params, (x,)), y)

    def adapt(self, data: tuple[Tensor, Tensor], second_order: bool) -> Params:
        params = dict(self.net.named_parameters())
        rates = self.log_lr.exp()
        for _ in range(self.steps):
            grads = torch.autograd.grad(self.loss(params, data), list(params.values()), create_graph=second_order)
            params = {n: p - r * g for (n, p), r, g in zip(params.items(), rates, grads)}
        return params
