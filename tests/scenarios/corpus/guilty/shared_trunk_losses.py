# gradwatch-corpus: kind=second-backward
# about: two tasks on one trunk, one backward each
import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.heads = nn.ModuleDict({"age": nn.Linear(32, 1), "sex": nn.Linear(32, 2)})

    def forward(self, x):
        shared = self.trunk(x)
        return {name: head(shared) for name, head in self.heads.items()}


def losses(outputs, targets):
    yield nn.functional.l1_loss(outputs["age"].squeeze(1), targets["age"])
    yield nn.functional.cross_entropy(outputs["sex"], targets["sex"])


def main():
    torch.manual_seed(0)
    model = MultiTask()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(60):
        x = torch.randn(16, 10)
        targets = {"age": x[:, 0] * 10 + 40, "sex": (x[:, 1] > 0).long()}
        optimizer.zero_grad()
        for loss in losses(model(x), targets):
            loss.backward()  # <- culprit
        optimizer.step()


if __name__ == "__main__":
    main()
