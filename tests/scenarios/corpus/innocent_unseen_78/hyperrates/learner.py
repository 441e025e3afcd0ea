import math

import torch
import torch.nn.functional as F
from torch import nn


class Rates(nn.Module):
    def __init__(self, names, start: float) -> None:
        super().__init__()
        self.log = nn.ParameterDict({n: nn.Parameter(torch.tensor(math.log(start))) for n in names})

    def __getitem__(self, name: str) -> torch.Tensor:
        return self.log[name].exp()

    def summary(self) -> str:
        return " ".join(f"{n}={p.exp().item():.3f}" for n, p in self.log.items())


class Unrolled:
    def __init__(self, width: int) -> None:
        self.weights = {
            "inp": torch.randn(width, 2) * 0.7,
            "hid": torch.randn(width, width) / math.sqrt(width),
            "out": torch.randn(1, width) / math.sqrt(width),
        }
        self.weights = {k: w.requires_grad_() for k, w in self.weights.items()}
        self.heavy = {k: torch.zeros_like(w) for k, w in self.weights.items()}
        self.rates = Rates(self.weights, start=0.05)

    def loss(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        h = torch.tanh(x @ self.weights["inp"].t())
        h = torch.tanh(h @ self.weights["hid"].t())
        return F.mse_loss(h @ self.weights["out"].t(), y)

    def step(self, x: torch.Tensor, y: torch.Tensor) -> float:
        loss = self.loss(x, y)
        names = list(self.weights)
        grads = torch.autograd.grad(loss, [self.weights[n] for n in names], create_graph=True)
        for name, g in zip(names, grads):
            self.heavy[name] = 0.5 * self.heavy[name] + g
            self.weights[name] = self.weights[name] - self.rates[name] * self.heavy[name]
        return loss.item()

    def cut(self) -> None:
        self.weights = {k: w.detach().requires_grad_() for k, w in self.weights.items()}
        self.heavy = {k: v.detach() for k, v in self.heavy.items()}
