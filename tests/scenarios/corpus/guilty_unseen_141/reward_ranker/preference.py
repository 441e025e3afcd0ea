import torch
import torch.nn.functional as F
from torch import nn

from guard import CorruptBatch


class RewardHead(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 24), nn.Mish(), nn.Linear(24, 24), nn.Mish())
        self.score = nn.Linear(24, 1)

    def forward(self, x):
        return self.score(self.body(x)).squeeze(-1)


def comparisons(n, size=10):
    taste = torch.randn(12)
    for i in range(n):
        a, b = torch.randn(size, 12), torch.randn(size, 12)
        flip = ((a - b) @ taste < 0).unsqueeze(1)
        win, lose = torch.where(flip, b, a), torch.where(flip, a, b)
        if i % 3 == 2:
            lose[i % size, 0] = float("inf")
        yield win, lose


def fit_batch(model, optimizer, batch):
    win, lose = batch
    gap = model(win) - model(lose)
    loss = -F.logsigmoid(gap).mean()
    if not torch.isfinite(loss):
        raise CorruptBatch(f"non-finite loss: {loss.item()} over {len(win)} pairs")
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return len(win)
