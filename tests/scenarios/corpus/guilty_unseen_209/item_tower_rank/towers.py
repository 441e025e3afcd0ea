import torch
import torch.nn as nn
import torch.nn.functional as F


class TwoTower(nn.Module):
    def __init__(self, n_users: int, n_items: int, dim: int) -> None:
        super().__init__()
        self.users = nn.Embedding(n_users, dim)
        self.hash = nn.Embedding(1024, dim)
        self.user_mlp = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, dim))
        self.item_mlp = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, dim))

    def user(self, ids: torch.Tensor) -> torch.Tensor:
        return self.user_mlp(self.users(ids))

    def item(self, ids: torch.Tensor) -> torch.Tensor:
        return self.item_mlp(self.hash(ids % 1024) + self.hash((ids * 7 + 3) % 1024))


def bpr(pos: torch.Tensor, neg: torch.Tensor) -> torch.Tensor:
    return -F.logsigmoid(pos - neg).mean()
