# gradwatch-corpus: kind=graph-held
# holder: profile | profile[name] | profile['bottleneck']
# first-bad: 1
"""Card-fraud detector; a probe profiles bottleneck activations for a drift report."""
from __future__ import annotations

from collections import defaultdict
from typing import Callable

import torch
from torch import Tensor, nn
import torch.nn.functional as F

Hook = Callable[[nn.Module, tuple, Tensor], None]


class TransactionNet(nn.Module):
    def __init__(self, merchants: int, numeric: int) -> None:
        super().__init__()
        self.merchant = nn.Embedding(merchants, 8)
        self.encoder = nn.Sequential(nn.Linear(8 + numeric, 40), nn.GELU(), nn.Linear(40, 16))
        self.bottleneck = nn.Tanh()
        self.score = nn.Linear(16, 1)

    def forward(self, merchant: Tensor, numeric: Tensor) -> Tensor:
        h = self.encoder(torch.cat([self.merchant(merchant), numeric], -1))
        return self.score(self.bottleneck(h)).squeeze(-1)


def attach_probe(modules: dict[str, nn.Module]) -> Callable[[], dict[str, tuple[float, float]]]:
    profile: dict[str, list[Tensor]] = defaultdict(list)

    def hook_for(name: str) -> Hook:
        def hook(module: nn.Module, inputs: tuple, output: Tensor) -> None:
            profile[name].append(output.mean(0))  # <- culprit

        return hook

    for name, module in modules.items():
        module.register_forward_hook(hook_for(name))

    def report() -> dict[str, tuple[float, float]]:
        out = {}
        for name, rows in profile.items():
            table = torch.stack(rows)
            out[name] = (table.mean().item(), table.std().item())
        return out

    return report


def focal(logit: Tensor, target: Tensor, gamma: float = 2.0) -> Tensor:
    ce = F.binary_cross_entropy_with_logits(logit, target, reduction="none")
    return ((1 - torch.exp(-ce)) ** gamma * ce).mean()


def transactions(gen: torch.Generator, n: int) -> tuple[Tensor, Tensor, Tensor]:
    merchant = torch.randint(200, (n,), generator=gen)
    numeric = torch.randn(n, 12, generator=gen)
    risk = numeric[:, 0] * numeric[:, 1] + (merchant % 17 == 0).float() * 2
    label = (risk > 1.8).float()
    return merchant, numeric, label


def main() -> None:
    torch.manual_seed(90)
    gen = torch.Generator().manual_seed(91)
    model = TransactionNet(200, 12)
    drift_report = attach_probe({"bottleneck": model.bottleneck})
    opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    hits, total = 0, 0
    for step in range(170):
        merchant, numeric, label = transactions(gen, 192)
        logit = model(merchant, numeric)
        loss = focal(logit, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += int(((logit > 0).float() == label).sum())
        total += label.numel()
        if step % 50 == 49:
            print(f"step {step} focal {loss.item():.4f} acc {hits / total:.3f}")
            hits, total = 0, 0
    for name, (mean, std) in drift_report().items():
        print(f"drift[{name}] mean {mean:+.3f} std {std:.3f}")


if __name__ == "__main__":
    main()
