from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .domain import DeskId, QuoteWindow, WeightSnapshot


class SnapshotRepository:
    def __init__(self, n_features: int) -> None:
        self._n_features = n_features
        self._book: dict[DeskId, WeightSnapshot] = {}

    def load(self, desk: DeskId) -> WeightSnapshot:
        if desk not in self._book:
            zero = torch.zeros(self._n_features, requires_grad=True)
            self._book[desk] = WeightSnapshot(zero)
        return self._book[desk]

    def save(self, desk: DeskId, snapshot: WeightSnapshot) -> None:
        if snapshot.version <= self._book[desk].version:
            raise ValueError("stale snapshot")
        self._book[desk] = snapshot  # <- culprit


class StepSizeService:
    """Fits the quoting weights online; the step sizes themselves are learned on the check rows."""

    def __init__(self, repo: SnapshotRepository, n_features: int) -> None:
        self._repo = repo
        self._log_size = nn.Parameter(torch.full((n_features,), -4.0))
        self._opt = torch.optim.Adam([self._log_size], lr=0.05)

    def step_sizes(self) -> Tensor:
        return self._log_size.detach().exp()

    def _fit_direction(self, snapshot: WeightSnapshot, window: QuoteWindow) -> Tensor:
        loss = F.mse_loss(snapshot.quote(window.fit_x), window.fit_y)
        (direction,) = torch.autograd.grad(loss, snapshot.weights, create_graph=True)
        return direction

    def on_window(self, desk: DeskId, window: QuoteWindow) -> float:
        snapshot = self._repo.load(desk)
        direction = self._fit_direction(snapshot, window)
        candidate = snapshot.stepped(direction, self._log_size.exp())
        cost = F.mse_loss(candidate.quote(window.check_x), window.check_y)
        self._opt.zero_grad()
        cost.backward(retain_graph=True)
        self._opt.step()
        self._repo.save(desk, candidate)  # <- culprit
        return cost.item()
