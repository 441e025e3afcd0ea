import torch

from .net import forward


def mse(p, x, y):
    return (forward(p, x) - y).pow(2).mean()


def adapt(meta, x, y, steps, lr):
    fast, trace = list(meta), []
    for _ in range(steps):
        loss = mse(fast, x, y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - lr * g for w, g in zip(fast, grads)]
        trace.append(loss)
    return fast, trace


def sine_task(n=10):
    amp, ph = 0.5 + 3 * torch.rand(1), 3.14 * torch.rand(1)

    def draw():
        x = 10 * torch.rand(n, 1) - 5
        return x, amp * torch.sin(x + ph)

    return draw(), draw()
