# gradwatch-corpus: kind=none
"""Marketplace listings: view, inquiry and sale heads, gradient surgery on the shared encoder."""
from dataclasses import dataclass
from typing import Dict, List, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

TASKS = ("view", "inquiry", "sale")


@dataclass
class SurgeryConfig:
    fin: int = 24
    width: int = 40
    lr: float = 2e-3
    steps: int = 110
    batch: int = 72


class ListingNet(nn.Module):
    def __init__(self, cfg: SurgeryConfig):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(cfg.fin, cfg.width), nn.ReLU(), nn.Linear(cfg.width, cfg.width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(cfg.width, 1) for t in TASKS})

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        z = self.encoder(x)
        return {t: head(z).squeeze(-1) for t, head in self.heads.items()}


class GradientSurgeon:
    def __init__(self, shared: Sequence[nn.Parameter]):
        self.shared = list(shared)
        self.conflicts = 0

    def flat_grads(self, losses: List[Tensor]) -> List[Tensor]:
        rows = []
        for loss in losses:
            grads = torch.autograd.grad(loss, self.shared, retain_graph=True)
            rows.append(torch.cat([g.reshape(-1) for g in grads]))
        return rows

    def combine(self, rows: List[Tensor]) -> Tensor:
        merged = torch.zeros_like(rows[0])
        for i, row in enumerate(rows):
            adjusted = row.clone()
            for j in torch.randperm(len(rows)).tolist():
                if i == j:
                    continue
                dot = torch.dot(adjusted, rows[j])
                if dot < 0:
                    adjusted -= dot / rows[j].square().sum() * rows[j]
                    self.conflicts += 1
            merged += adjusted
        return merged

    def write(self, flat: Tensor) -> None:
        offset = 0
        for p in self.shared:
            n = p.numel()
            p.grad = flat[offset:offset + n].view_as(p).clone()
            offset += n


def stream(cfg: SurgeryConfig):
    w = torch.randn(len(TASKS), cfg.fin)
    w[2] = -0.5 * w[0] + 0.5 * w[2]
    for _ in range(cfg.steps):
        x = torch.randn(cfg.batch, cfg.fin)
        p = torch.sigmoid(x @ w.t() / 2 - 0.3)
        yield x, {t: torch.bernoulli(p[:, i]) for i, t in enumerate(TASKS)}


def main():
    torch.manual_seed(707)
    cfg = SurgeryConfig()
    net = ListingNet(cfg)
    surgeon = GradientSurgeon(net.encoder.parameters())
    optimizer = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    for step, (x, y) in enumerate(stream(cfg), start=1):
        out = net(x)
        losses = [F.binary_cross_entropy_with_logits(out[t], y[t]) for t in TASKS]
        rows = surgeon.flat_grads(losses)
        optimizer.zero_grad()
        sum(losses).backward()
        surgeon.write(surgeon.combine(rows))
        optimizer.step()
        if step % 22 == 0:
            shown = " ".join(f"{t} {v.item():.3f}" for t, v in zip(TASKS, losses))
            print(f"{step:4d} {shown} conflicts {surgeon.conflicts}")


if __name__ == "__main__":
    main()
