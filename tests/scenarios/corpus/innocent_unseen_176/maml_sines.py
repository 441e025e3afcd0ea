# gradwatch-corpus: kind=none
"""Second-order MAML with learned per-tensor step sizes on sine regression."""
from __future__ import annotations

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Regressor(nn.Module):
    def __init__(self, width: int = 32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x)


class MetaLearner(nn.Module):
    def __init__(self, base: nn.Module, inner_lr: float = 0.05, inner_steps: int = 2):
        super().__init__()
        self.base = base
        self.inner_steps = inner_steps
        self.log_lr = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr).log()) for n, _ in base.named_parameters()}
        )
        self.adapted: dict[str, torch.Tensor] = {}

    def adapt(self, x: torch.Tensor, y: torch.Tensor) -> None:
        fast = dict(self.base.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.base, fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
            fast = {
                n: w - self.log_lr[n.replace(".", "_")].exp() * g
                for (n, w), g in zip(fast.items(), grads)
            }
        self.adapted = fast

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional_call(self.base, self.adapted, (x,))


def task(gen: torch.Generator):
    amp = 0.5 + 2 * torch.rand((), generator=gen)
    phase = 3.14 * torch.rand((), generator=gen)

    def draw(n: int):
        x = 10 * torch.rand(n, 1, generator=gen) - 5
        return x, amp * torch.sin(x + phase)

    return draw


def main() -> None:
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(60)
    meta = MetaLearner(Regressor())
    opt = torch.optim.Adam(meta.parameters(), lr=2e-3)
    curve: list[float] = []
    best = (float("inf"), None)
    for it in range(420):
        outer = torch.zeros(())
        for _ in range(2):
            draw = task(gen)
            meta.adapt(*draw(10))
            xq, yq = draw(10)
            outer = outer + F.mse_loss(meta(xq), yq)
        outer = outer / 2
        opt.zero_grad()
        outer.backward()
        opt.step()
        curve.append(outer.item())
        if curve[-1] < best[0]:
            best = (curve[-1], {k: v.detach().clone() for k, v in meta.adapted.items()})
        if it % 70 == 0:
            print(f"{it:4d} query mse {sum(curve[-20:]) / len(curve[-20:]):.3f}")
    print(f"best {best[0]:.3f} over {sum(v.numel() for v in best[1].values())} weights")


if __name__ == "__main__":
    main()
