# gradwatch-corpus: kind=none
"""MAML: EMG-to-angle decoders that adapt to a new wearer from a few gestures."""
from __future__ import annotations

from collections import deque

import torch
from torch import Tensor, nn
from torch.func import functional_call


class Wearer:
    def __init__(self, channels: int) -> None:
        self.mix = torch.randn(channels) / channels ** 0.5
        self.bias = 0.3 * torch.randn(())

    def gestures(self, k: int) -> tuple[Tensor, Tensor]:
        emg = torch.randn(k, self.mix.numel())
        return emg, torch.tanh(emg @ self.mix + self.bias).unsqueeze(1)


class Decoder(nn.Module):
    def __init__(self, channels: int, width: int = 24) -> None:
        super().__init__()
        self.hidden = nn.Linear(channels, width)
        self.angle = nn.Linear(width, 1)

    def forward(self, emg: Tensor) -> Tensor:
        return self.angle(torch.tanh(self.hidden(emg)))


def adapted(model: nn.Module, weights: dict[str, Tensor], wearer: Wearer, lr: float) -> dict[str, Tensor]:
    emg, angle = wearer.gestures(8)
    loss = nn.functional.mse_loss(functional_call(model, weights, (emg,)), angle)
    grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
    return {name: w - lr * g for (name, w), g in zip(weights.items(), grads)}


def meta_loss(model: nn.Module, wearers: list[Wearer], inner_steps: int, inner_lr: float) -> Tensor:
    losses = []
    for wearer in wearers:
        fast = dict(model.named_parameters())
        for _ in range(inner_steps):
            fast = adapted(model, fast, wearer, inner_lr)
        emg, angle = wearer.gestures(16)
        losses.append(nn.functional.mse_loss(functional_call(model, fast, (emg,)), angle))
    return torch.stack(losses).mean()


def main() -> None:
    torch.manual_seed(20)
    channels = 6
    model = Decoder(channels)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    curve: deque[float] = deque(maxlen=30)
    for it in range(150):
        wearers = [Wearer(channels) for _ in range(3)]
        # deeper adaptation later in the run
        loss = meta_loss(model, wearers, inner_steps=1 + it // 75, inner_lr=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
        if it % 30 == 29:
            print(f"{it + 1:4d}  meta loss {sum(curve) / len(curve):.4f}")


if __name__ == "__main__":
    main()
