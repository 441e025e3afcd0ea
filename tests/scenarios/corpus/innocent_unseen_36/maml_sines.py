# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)


class Task:
    def __init__(self):
        self.amp, self.phase = 0.5 + 2 * torch.rand(()), 3 * torch.rand(())

    def __call__(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


class Maml:
    def __init__(self, inner_lr=0.02, inner_steps=3):
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.fast = None
        self.curve = []

    def mse(self, params, xy):
        x, y = xy
        return (functional_call(self.net, params, (x,)) - y).square().mean()

    def adapt(self, xy):
        self.fast = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            grads = torch.autograd.grad(self.mse(self.fast, xy), list(self.fast.values()), create_graph=True)
            self.fast = {k: p - self.inner_lr * g for (k, p), g in zip(self.fast.items(), grads)}
        return self.fast

    def outer(self, tasks):
        losses = []
        for task in tasks:
            support, query = task(10), task(10)
            losses.append(self.mse(self.adapt(support), query))
        meta = torch.stack(losses).mean()
        self.opt.zero_grad()
        meta.backward()
        self.opt.step()
        self.fast = None
        self.curve.append(meta.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    maml = Maml()
    for it in range(70):
        maml.outer([Task() for _ in range(3)])
        if it % 14 == 13:
            print(it, "query mse", round(sum(maml.curve[-14:]) / 14, 4))
