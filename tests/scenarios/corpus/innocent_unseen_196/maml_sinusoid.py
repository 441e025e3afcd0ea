# gradwatch-corpus: kind=none
"""MAML on sinusoid regression."""
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)


class SineTask:
    def __init__(self):
        self.amplitude = 0.1 + 4.9 * torch.rand(1)
        self.phase = 3.1416 * torch.rand(1)

    def sample(self, k):
        x = 10 * torch.rand(k, 1) - 5
        return x, self.amplitude * torch.sin(x + self.phase)


class MAMLModel(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.model = nn.Sequential(OrderedDict([
            ("l1", nn.Linear(1, hidden)), ("relu1", nn.ReLU()),
            ("l2", nn.Linear(hidden, hidden)), ("relu2", nn.ReLU()),
            ("l3", nn.Linear(hidden, 1))]))

    def forward(self, x):
        return self.model(x)

    def parameterised(self, x, weights):
        x = F.relu(F.linear(x, weights[0], weights[1]))
        x = F.relu(F.linear(x, weights[2], weights[3]))
        return F.linear(x, weights[4], weights[5])


class MAML:
    def __init__(self, model, inner_lr=0.01, meta_lr=1e-3, K=10, inner_steps=1, tasks_per_meta_batch=4):
        self.model = model
        self.weights = list(model.parameters())
        self.meta_optimiser = torch.optim.Adam(self.weights, meta_lr)
        self.criterion = nn.MSELoss()
        self.inner_lr = inner_lr
        self.K = K
        self.inner_steps = inner_steps
        self.tasks_per_meta_batch = tasks_per_meta_batch
        self.plot_every = 10
        self.print_every = 100
        self.meta_losses = []

    def inner_loop(self, task):
        temp_weights = [w.clone() for w in self.weights]
        x, y = task.sample(self.K)
        for _ in range(self.inner_steps):
            loss = self.criterion(self.model.parameterised(x, temp_weights), y) / self.K
            grad = torch.autograd.grad(loss, temp_weights, create_graph=True)
            temp_weights = [w - self.inner_lr * g for w, g in zip(temp_weights, grad)]
        x, y = task.sample(self.K)
        return self.criterion(self.model.parameterised(x, temp_weights), y) / self.K

    def main_loop(self, num_iterations):
        epoch_loss = 0
        for iteration in range(1, num_iterations + 1):
            meta_loss = 0
            for _ in range(self.tasks_per_meta_batch):
                meta_loss += self.inner_loop(SineTask())
            meta_grads = torch.autograd.grad(meta_loss, self.weights)
            for w, g in zip(self.weights, meta_grads):
                w.grad = g
            self.meta_optimiser.step()

            epoch_loss += meta_loss.item() / self.tasks_per_meta_batch
            if iteration % self.print_every == 0:
                print("{}/{}. loss: {:.4f}".format(iteration, num_iterations, epoch_loss / self.plot_every))
            if iteration % self.plot_every == 0:
                self.meta_losses.append(epoch_loss / self.plot_every)
                epoch_loss = 0


def adapt_and_eval(maml, steps=5):
    task = SineTask()
    weights = [w.detach().clone().requires_grad_(True) for w in maml.weights]
    x, y = task.sample(10)
    errs = []
    for _ in range(steps):
        loss = F.mse_loss(maml.model.parameterised(x, weights), y)
        grads = torch.autograd.grad(loss, weights)
        weights = [(w - 0.01 * g).detach().requires_grad_(True) for w, g in zip(weights, grads)]
        errs.append(loss.item())
    return errs


if __name__ == "__main__":
    maml = MAML(MAMLModel())
    maml.main_loop(num_iterations=420)
    print("adaptation:", ["%.3f" % e for e in adapt_and_eval(maml)])
