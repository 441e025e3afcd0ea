# gradwatch-corpus: kind=none
# about: MAML on sinusoids: fast weights are made from grads with a graph (create_graph=True),
# about: and a meta-batch of losses is summed before the one outer backward
import torch
import torch.nn.functional as F
from parts.pace import ITERATIONS


class Sinusoid:
    def __init__(self):
        self.amplitude = 0.1 + 4.9 * torch.rand(1)
        self.phase = torch.pi * torch.rand(1)

    def draw(self, k=10):
        x = 10 * torch.rand(k, 1) - 5
        return x, self.amplitude * torch.sin(x - self.phase)


class MetaLearner:
    def __init__(self, hidden=20, inner_lr=0.01, inner_steps=3):
        def layer(a, b):
            return [
                (torch.randn(b, a) / a**0.5).requires_grad_(),
                torch.zeros(b, requires_grad=True),
            ]

        self.weights = layer(1, hidden) + layer(hidden, hidden) + layer(hidden, 1)
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.outer = torch.optim.Adam(self.weights, lr=1e-3)
        self.pre, self.post = [], []

    def net(self, x, w):
        x = F.relu(F.linear(x, w[0], w[1]))
        x = F.relu(F.linear(x, w[2], w[3]))
        return F.linear(x, w[4], w[5])

    def adapt(self, task):
        x, y = task.draw()
        fast = list(self.weights)
        for step in range(self.inner_steps):
            loss = F.mse_loss(self.net(x, fast), y)
            if step == 0:
                self.pre.append(loss.item())
            grads = torch.autograd.grad(loss, fast, create_graph=True)
            fast = [w - self.inner_lr * g for w, g in zip(fast, grads)]
        return fast

    def meta_step(self, tasks):
        meta_loss = 0
        for task in tasks:
            fast = self.adapt(task)
            x, y = task.draw()
            meta_loss += F.mse_loss(self.net(x, fast), y)
        meta_loss = meta_loss / len(tasks)
        self.outer.zero_grad()
        meta_loss.backward()
        self.outer.step()
        self.post.append(meta_loss.item())


def main():
    torch.manual_seed(0)
    learner = MetaLearner()
    for it in range(ITERATIONS // 2):
        learner.meta_step([Sinusoid() for _ in range(4)])
        if it % 25 == 0:
            print(f"{it}: before {learner.pre[-1]:.6f} after {learner.post[-1]:.6f}")


if __name__ == "__main__":
    main()
