# gradwatch-corpus: kind=graph-held
# holder: trace | self.trace | fit.trace
# about: an LBFGS closure that traces each evaluation
import torch
from torch import nn


class CurveFit(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.ones(()))
        self.b = nn.Parameter(torch.zeros(()))
        self.c = nn.Parameter(torch.zeros(()))

    def forward(self, t):
        return self.a * torch.exp(-self.b * t) + self.c


def fit(model, t, y, steps):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=3)
    trace = []

    def closure():
        optimizer.zero_grad()
        loss = ((model(t) - y) ** 2).mean()
        loss.backward()
        trace.append(loss)  # <- culprit
        return loss

    for step in range(steps):
        loss = optimizer.step(closure)
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.6f} evaluations {len(trace)}")
    return [value.item() for value in trace]


if __name__ == "__main__":
    torch.manual_seed(0)
    t = torch.linspace(0, 5, 100)
    fit(CurveFit(), t, 2.5 * torch.exp(-1.3 * t) + 0.5 + 0.05 * torch.randn(100), steps=60)
