from collections import deque
from typing import Any

import torch


class TaskBoard:
    """Recent raw records of each task, and its whole history as numbers."""

    def __init__(self, tasks, window):
        self.recent: dict[str, deque[dict[str, Any]]] = {t: deque(maxlen=window) for t in tasks}
        self.history: dict[str, list[tuple[int, float]]] = {t: [] for t in tasks}

    def post(self, task, **record):
        self.recent[task].append(record)
        self.history[task].append((record["step"], float(record["loss"].detach())))

    def weight(self, task):
        """tasks whose recent losses are high count somewhat more"""
        if not all(self.recent.values()):
            return 1.0
        with torch.no_grad():
            level = {t: torch.stack([r["loss"] for r in rows]).mean() for t, rows in self.recent.items()}
        return (level[task] / torch.stack(list(level.values())).mean()).clamp(0.5, 2.0).item()

    def render(self):
        cells = []
        for task, rows in self.recent.items():
            scale = torch.stack([r["logit_scale"] for r in rows]).mean().item()
            cells.append(f"{task}: loss={rows[-1]['loss'].item():.3f} scale={scale:.2f}")
        return " | ".join(cells)
