# gradwatch-corpus: kind=graph-held
# notice: 40
# about: each task gets a clone of the model, and create_graph=True ties the clone into a cycle
import copy

import torch
from torch import nn


class Task:
    def __init__(self, slope):
        self.slope = slope

    def sample(self, n=20):
        x = torch.rand(n, 1) * 4 - 2
        return x, self.slope * x


def evaluate_task(meta_model, task, lr=0.1):
    model = copy.deepcopy(meta_model)
    x, y = task.sample()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward(create_graph=True)  # <- culprit
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    x, y = task.sample()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def main():
    torch.manual_seed(0)
    meta_model = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 1))
    scores = [evaluate_task(meta_model, Task(slope=i / 10)) for i in range(60)]
    print("after one step:", sum(scores) / len(scores))


if __name__ == "__main__":
    main()
