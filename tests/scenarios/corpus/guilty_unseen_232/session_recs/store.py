from typing import Dict, List

import torch


class UserStateStore:
    """Online feature store: one taste vector a user, read and written by the trainer."""

    def __init__(self, n_users: int, dim: int):
        self.dim = dim
        self.n_users = n_users
        self.reads = 0
        self.writes = 0
        self._rows: Dict[int, torch.Tensor] = {}

    def fetch(self, users: List[int]) -> torch.Tensor:
        self.reads += len(users)
        rows = []
        for user in users:
            row = self._rows.get(user)
            if row is None:
                row = torch.zeros(self.dim)
            rows.append(row)
        return torch.stack(rows)

    def commit(self, users: List[int], states: torch.Tensor) -> None:
        self.writes += len(users)
        for user, state in zip(users, states.unbind(0)):
            self._rows[user] = state  # <- culprit

    def coverage(self) -> float:
        return len(self._rows) / self.n_users
