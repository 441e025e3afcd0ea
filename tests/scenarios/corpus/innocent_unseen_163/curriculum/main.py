# gradwatch-corpus: kind=none
"""Learned weights for data of different difficulty; one optimizer step for a window of micro batches."""
import torch
import torch.nn.functional as F
from torch import nn

from sources import levels
from weights import CurriculumWeights

torch.set_num_threads(1)
torch.manual_seed(77)

WINDOW = 3


class Student(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 40), nn.Tanh(), nn.Linear(40, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def main():
    sources, w = levels()
    student = Student(w.numel())
    curriculum = CurriculumWeights(len(sources))
    opt = torch.optim.Adam([
        {"params": student.parameters(), "lr": 3e-3},
        {"params": curriculum.parameters(), "lr": 2e-2},
    ])
    pending = []
    steps = 0
    for it in range(360):
        per_level = []
        for src in sources:
            x, y = src.draw(16)
            per_level.append(F.mse_loss(student(x), y))
        pending.append(curriculum(per_level))
        if len(pending) == WINDOW:
            loss = torch.stack(pending).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            pending.clear()
            steps += 1
            if steps % 20 == 0:
                print(f"step {steps} loss {loss.item():.4f} weights {curriculum.values()}")


if __name__ == "__main__":
    main()
