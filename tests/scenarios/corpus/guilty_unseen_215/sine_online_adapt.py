# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | params
# first-bad: 1
"""Online adaptation of a small regressor with functional weights (FTML-style).

Meta weights give the start; after that the fast weights follow the stream of tasks.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class SineNet(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.l1 = nn.Linear(1, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)

    def forward(self, x):
        return self.l3(torch.relu(self.l2(torch.relu(self.l1(x)))))


class OnlineLearner:
    def __init__(self, model, inner_lr=0.02, inner_steps=2):
        self.model = model
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.fast = dict(model.named_parameters())

    def loss(self, params, x, y):
        return F.mse_loss(functional_call(self.model, params, (x,)), y)

    def adapt(self, x, y):
        params = self.fast  # <- culprit
        for _ in range(self.inner_steps):
            loss = self.loss(params, x, y)
            grads = torch.autograd.grad(loss, list(params.values()))
            params = {k: p - self.inner_lr * g for (k, p), g in zip(params.items(), grads)}  # <- culprit
        self.fast = params  # <- culprit
        return loss.item()

    @torch.no_grad()
    def evaluate(self, x, y):
        return self.loss(self.fast, x, y).item()


def task_stream(n, k=20):
    amp, phase = 1.0, 0.0
    for _ in range(n):
        amp = float(torch.empty(1).uniform_(0.8, 1.2)) * 0.2 + amp * 0.8
        phase += 0.01
        x = torch.rand(k * 2, 1) * 10 - 5
        y = amp * torch.sin(x + phase)
        yield (x[:k], y[:k]), (x[k:], y[k:])


def main():
    torch.manual_seed(21)
    learner = OnlineLearner(SineNet())
    errors = []
    for t, (support, query) in enumerate(task_stream(150)):
        before = learner.evaluate(*query)
        fit = learner.adapt(*support)
        errors.append(before)
        if (t + 1) % 50 == 0:
            print(f"task {t + 1}: fit {fit:.4f}, mean query error {sum(errors[-50:]) / 50:.4f}")


if __name__ == "__main__":
    main()
