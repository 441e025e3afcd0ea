# gradwatch-corpus: kind=none
import math
import torch
import torch.nn.functional as F
torch.set_num_threads(1)
torch.manual_seed(100)


class SineTask:
    def __init__(self):
        self.amp = 0.5 + 2 * torch.rand(1).item()
        self.ph = math.pi * torch.rand(1).item()

    def sample(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.ph)


def init():
    shapes = [(20, 1), (20,), (20, 20), (20,), (1, 20), (1,)]
    return [torch.randn(s).mul_(1 / s[-1] ** .5 if len(s) == 2 else 0.).requires_grad_() for s in shapes]


def net(x, w):
    h = torch.relu(F.linear(x, w[0], w[1]))
    h = torch.relu(F.linear(h, w[2], w[3]))
    return F.linear(h, w[4], w[5])


class MAML:
    def __init__(self, inner_lr=0.01, inner_steps=2, tasks=3):
        self.weights = init()
        self.meta_opt = torch.optim.Adam(self.weights, 1e-3)
        self.inner_lr, self.inner_steps, self.tasks = inner_lr, inner_steps, tasks
        self.meta_losses = []

    def inner_loop(self, task):
        temp = [w.clone() for w in self.weights]
        x, y = task.sample(10)
        for _ in range(self.inner_steps):
            loss = F.mse_loss(net(x, temp), y)
            grad = torch.autograd.grad(loss, temp, create_graph=True)
            temp = [w - self.inner_lr * g for w, g in zip(temp, grad)]
        x, y = task.sample(10)
        return F.mse_loss(net(x, temp), y)

    def main_loop(self, n):
        epoch_loss = 0
        for it in range(1, n + 1):
            meta_loss = 0
            for _ in range(self.tasks):
                meta_loss += self.inner_loop(SineTask())
            meta_grads = torch.autograd.grad(meta_loss, self.weights)
            for w, g in zip(self.weights, meta_grads):
                w.grad = g
            self.meta_opt.step()
            epoch_loss += meta_loss.item() / self.tasks
            if it % 100 == 0:
                print(it, epoch_loss / 100)
                self.meta_losses.append(epoch_loss / 100)
                epoch_loss = 0


MAML().main_loop(500)
