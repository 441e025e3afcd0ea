# gradwatch-corpus: kind=graph-held
# holder: evaluator.reports | self.reports
# first-bad: 8
# notice: 30
# about: each evaluation builds graphs and files its outputs under the step, in a report for later
import torch
from torch import nn


class Evaluator:
    def __init__(self, model, x):
        self.model, self.x = model, x
        self.reports = {}

    def run(self, step):
        output = self.model(self.x)
        self.reports[step] = {"output": output, "mean": output.mean().item()}  # <- culprit


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
    evaluator = Evaluator(model, torch.randn(64, 8))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(60):
        x = torch.randn(32, 8)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 7 == 6:
            evaluator.run(step)
    print(len(evaluator.reports), "reports")


if __name__ == "__main__":
    main()
