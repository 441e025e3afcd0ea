# gradwatch-corpus: kind=none
"""MAML on the sinusoid regression problem."""
import math

import torch
import torch.nn.functional as F


class SineTask:
    def __init__(self):
        self.amp = torch.empty(1).uniform_(0.1, 5.0)
        self.phase = torch.empty(1).uniform_(0, math.pi)

    def sample(self, k):
        x = torch.empty(k, 1).uniform_(-5, 5)
        return x, self.amp * torch.sin(x + self.phase)


def init_params(width=40):
    shapes = [(width, 1), (width,), (width, width), (width,), (1, width), (1,)]
    params = []
    for s in shapes:
        p = torch.zeros(*s) if len(s) == 1 else torch.randn(*s) * math.sqrt(2 / s[1])
        params.append(p.requires_grad_())
    return params


def net(x, p):
    h = F.relu(F.linear(x, p[0], p[1]))
    h = F.relu(F.linear(h, p[2], p[3]))
    return F.linear(h, p[4], p[5])


class MAML:
    def __init__(self, inner_lr=0.01, inner_steps=2, meta_lr=1e-3, shots=10):
        self.params = init_params()
        self.inner_lr, self.inner_steps, self.shots = inner_lr, inner_steps, shots
        self.opt = torch.optim.Adam(self.params, lr=meta_lr)
        self.fast = None
        self.smoothed = None
        self.curve = []

    def adapt(self, task, create_graph=True):
        x, y = task.sample(self.shots)
        self.fast = self.params
        for _ in range(self.inner_steps):
            loss = F.mse_loss(net(x, self.fast), y)
            grads = torch.autograd.grad(loss, self.fast, create_graph=create_graph)
            self.fast = [w - self.inner_lr * g for w, g in zip(self.fast, grads)]
        return self.fast

    def meta_step(self, tasks):
        meta_loss = 0
        for task in tasks:
            fast = self.adapt(task)
            x, y = task.sample(self.shots)
            meta_loss += F.mse_loss(net(x, fast), y)
        meta_loss = meta_loss / len(tasks)
        self.opt.zero_grad()
        meta_loss.backward()
        self.opt.step()
        value = meta_loss.detach()
        if self.smoothed is None:
            self.smoothed = value
        else:
            self.smoothed = 0.95 * self.smoothed + 0.05 * value
        self.curve.append(self.smoothed)
        return value

    def evaluate(self, n=20):
        total = 0.0
        for _ in range(n):
            task = SineTask()
            fast = [w.detach() for w in self.adapt(task, create_graph=False)]
            with torch.no_grad():
                x, y = task.sample(50)
                total += F.mse_loss(net(x, fast), y).item()
        self.fast = None
        return total / n


def main():
    torch.manual_seed(7)
    maml = MAML()
    for it in range(1, 151):
        maml.meta_step([SineTask() for _ in range(4)])
        if it % 50 == 0:
            print(f"iter {it} meta-loss (smoothed) {maml.curve[-1]:.3f} "
                  f"after adaptation {maml.evaluate():.3f}")


if __name__ == "__main__":
    main()
