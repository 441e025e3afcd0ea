# gradwatch-corpus: kind=none
"""Second-order MAML for few-shot sinusoid regression."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class SineTask:
    def __init__(self):
        self.amp = 0.5 + 3 * torch.rand(()).item()
        self.phase = torch.pi * torch.rand(()).item()

    def shots(self, k):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


class Net(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x)


class MAML:
    def __init__(self, net, inner_lr=0.01, outer_lr=2e-3, inner_steps=2, shots=8):
        self.net = net
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.shots = shots
        self.fast = None
        self.opt = torch.optim.Adam(net.parameters(), lr=outer_lr)

    def adapt(self, task, second_order=True):
        self.fast = dict(self.net.named_parameters())
        x, y = task.shots(self.shots)
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=second_order)
            self.fast = {name: w - self.inner_lr * g
                         for (name, w), g in zip(self.fast.items(), grads)}
        return self.fast

    def query_loss(self, task, fast):
        x, y = task.shots(2 * self.shots)
        return F.mse_loss(functional_call(self.net, fast, (x,)), y)

    def meta_step(self, tasks):
        losses = []
        for task in tasks:
            losses.append(self.query_loss(task, self.adapt(task)))
        meta_loss = torch.stack(losses).mean()
        self.opt.zero_grad()
        meta_loss.backward()
        self.opt.step()
        return [round(v.item(), 3) for v in losses]

    def evaluate(self, n=10):
        scores = []
        for _ in range(n):
            task = SineTask()
            fast = self.adapt(task, second_order=False)
            with torch.no_grad():
                scores.append(self.query_loss(task, fast).item())
        self.fast = None
        return sum(scores) / n


if __name__ == "__main__":
    torch.manual_seed(33)
    maml = MAML(Net())
    recent = []
    for it in range(100):
        recent += maml.meta_step([SineTask() for _ in range(4)])
        if it % 25 == 24:
            print(f"iteration {it + 1}: query {sum(recent) / len(recent):.3f} held-out {maml.evaluate():.3f}")
            recent.clear()
