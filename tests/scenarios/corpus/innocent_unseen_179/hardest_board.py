# gradwatch-corpus: kind=none
"""Regression of wind-turbine power curves with a board of the hardest batches."""
import heapq
import itertools

import torch
from torch import nn

torch.manual_seed(11)


class PowerNet(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(6, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
        )
        self.mean = nn.Linear(width, 1)
        self.log_scale = nn.Linear(width, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(-1), self.log_scale(h).squeeze(-1).clamp(-4, 3)


class HardestBoard:
    """The batches with the highest negative log-likelihood seen in the run."""

    def __init__(self, size):
        self.size = size
        self.heap = []
        self.tie = itertools.count()

    def offer(self, step, nll, turbines):
        entry = (float(nll), next(self.tie), step, nll, turbines)
        if len(self.heap) < self.size:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def threshold(self):
        return self.heap[0][0] if len(self.heap) == self.size else float("-inf")

    def describe(self):
        worst = sorted(self.heap, reverse=True)[:3]
        return ", ".join(f"#{step}:{score:.2f}" for score, _, step, _, _ in worst)


def make_farm(turbines=200, hours=30):
    wind = torch.rand(turbines, hours, 1) * 20
    rest = torch.randn(turbines, hours, 5)
    x = torch.cat([wind / 10 - 1, rest], dim=-1)
    power = torch.sigmoid((wind.squeeze(-1) - 9) * 0.7) + 0.05 * rest[..., 0]
    power = power + 0.05 * torch.randn(turbines, hours)
    return x, power


def gaussian_nll(mean, log_scale, y):
    return (log_scale + 0.5 * ((y - mean) / log_scale.exp()) ** 2).mean()


def main():
    x, power = make_farm()
    model = PowerNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    board = HardestBoard(size=20)
    repeats = 0
    for step in range(560):
        idx = torch.randint(0, x.shape[0], (12,))
        mean, log_scale = model(x[idx])
        nll = gaussian_nll(mean, log_scale, power[idx])
        optimizer.zero_grad(set_to_none=True)
        nll.backward()
        optimizer.step()
        board.offer(step, nll, idx.tolist())
        if step % 8 == 7 and board.heap:
            _, _, _, _, turbines = max(board.heap)
            t = torch.tensor(turbines)
            again = gaussian_nll(*model(x[t]), power[t])
            optimizer.zero_grad(set_to_none=True)
            again.backward()
            optimizer.step()
            repeats += 1
        if step % 80 == 0:
            print(f"{step:4d} nll {nll.item():.4f} bar {board.threshold():.3f} worst {board.describe()}")
    print("repeats", repeats)


if __name__ == "__main__":
    main()
