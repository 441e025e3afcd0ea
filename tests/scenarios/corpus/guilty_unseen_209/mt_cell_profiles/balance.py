from typing import Dict, Sequence

import torch


class TaskBalancer:
    """Weights tasks so that their pull on the shared layer stays comparable."""

    def __init__(self, tasks: Sequence[str], shared: torch.Tensor, alpha: float) -> None:
        self.shared, self.alpha = shared, alpha
        self.weight: Dict[str, float] = {t: 1.0 for t in tasks}

    def refresh(self, losses: Dict[str, torch.Tensor]) -> None:
        norms = {}
        pending = len(losses)
        for name, loss in losses.items():
            pending -= 1
            (g,) = torch.autograd.grad(loss, self.shared, retain_graph=pending > 0)  # <- culprit
            norms[name] = g.norm().item() + 1e-8
        mean = sum(norms.values()) / len(norms)
        raw = {t: (mean / n) ** self.alpha for t, n in norms.items()}
        scale = len(raw) / sum(raw.values())
        self.weight = {t: 0.5 * self.weight[t] + 0.5 * r * scale for t, r in raw.items()}
