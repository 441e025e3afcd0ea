# gradwatch-corpus: kind=none
import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class SineTask:
    def __init__(self):
        self.A = 0.1 + 4.9 * torch.rand(1)
        self.phi = math.pi * torch.rand(1)

    def sample(self, k):
        x = -5 + 10 * torch.rand(k, 1)
        return x, self.A * torch.sin(x - self.phi)


class Net(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.fc1 = nn.Linear(1, hid)
        self.fc2 = nn.Linear(hid, hid)
        self.fc3 = nn.Linear(hid, 1)

    def forward(self, x, theta=None):
        if theta is None:
            theta = OrderedDict(self.named_parameters())
        x = F.relu(F.linear(x, theta["fc1.weight"], theta["fc1.bias"]))
        x = F.relu(F.linear(x, theta["fc2.weight"], theta["fc2.bias"]))
        return F.linear(x, theta["fc3.weight"], theta["fc3.bias"])


class MAML:
    def __init__(self, net, alpha=0.01, meta_lr=1e-3, inner_steps=2):
        self.net = net
        self.alpha = alpha
        self.inner_steps = inner_steps
        self.meta_opt = torch.optim.Adam(net.parameters(), lr=meta_lr)
        self.theta_prime = None
        self.last_inner = []

    def inner_loop(self, task):
        theta = OrderedDict(self.net.named_parameters())
        self.last_inner = []
        x, y = task.sample(10)
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.net(x, theta), y)
            grads = torch.autograd.grad(loss, list(theta.values()), create_graph=True)
            theta = OrderedDict((n, p - self.alpha * g) for (n, p), g in zip(theta.items(), grads))
            self.last_inner.append(loss)
        self.theta_prime = theta
        x_q, y_q = task.sample(10)
        return F.mse_loss(self.net(x_q, theta), y_q)

    def meta_step(self, tasks):
        self.meta_opt.zero_grad()
        total = 0
        for task in tasks:
            total = total + self.inner_loop(task)
        meta_loss = total / len(tasks)
        meta_loss.backward()
        self.meta_opt.step()
        return meta_loss.item()


if __name__ == "__main__":
    torch.manual_seed(12)
    maml = MAML(Net())
    losses = []
    for it in range(70):
        losses.append(maml.meta_step([SineTask() for _ in range(4)]))
        if it % 10 == 9:
            inner = [round(v.item(), 3) for v in maml.last_inner]
            print("meta iter", it + 1, "loss", round(sum(losses[-10:]) / 10, 4), "inner", inner)
