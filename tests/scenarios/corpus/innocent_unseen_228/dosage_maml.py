# gradwatch-corpus: kind=none
"""Dose-response meta-learning: MAML with two inner steps over patients."""
import torch
from torch import nn
from torch.func import functional_call


class DoseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, dose):
        return self.net(dose)


class Maml:
    def __init__(self, model, inner_lr=0.05, inner_steps=2):
        self.model = model
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)
        self.fast = None
        self.history = []

    def loss(self, params, batch):
        dose, response = batch
        pred = functional_call(self.model, params, (dose,))
        return (pred - response).pow(2).mean()

    def adapt(self, support):
        self.fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = self.loss(self.fast, support)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {k: p - self.inner_lr * g for (k, p), g in zip(self.fast.items(), grads)}
        return self.fast

    def outer_step(self, tasks):
        total = 0.0
        for support, query in tasks:
            fast = self.adapt(support)
            total = total + self.loss(fast, query)
        total = total / len(tasks)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.history.append(total.item())


def patient(n=10):
    ec50 = 0.2 + torch.rand(1)
    slope = 2 + 3 * torch.rand(1)
    dose = torch.rand(2 * n, 1) * 2
    response = torch.sigmoid(slope * (dose - ec50))
    return (dose[:n], response[:n]), (dose[n:], response[n:])


def main():
    torch.manual_seed(90)
    maml = Maml(DoseNet())
    for step in range(80):
        maml.outer_step([patient() for _ in range(3)])
        if step % 20 == 19:
            print(step + 1, round(sum(maml.history[-20:]) / 20, 5))


if __name__ == "__main__":
    main()
