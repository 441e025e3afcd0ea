# gradwatch-corpus: kind=none
import math
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(112)


def init():
    shapes = [(16, 1), (16,), (16, 16), (16,), (1, 16), (1,)]
    return [(torch.randn(s) / math.sqrt(s[-1]) if len(s) > 1 else torch.zeros(s)).requires_grad_() for s in shapes]


def net(x, p):
    x = torch.tanh(F.linear(x, p[0], p[1]))
    x = torch.tanh(F.linear(x, p[2], p[3]))
    return F.linear(x, p[4], p[5])


def task():
    a, ph = 0.5 + 2 * torch.rand(1), 3.14 * torch.rand(1)

    def draw(k):
        x = 10 * torch.rand(k, 1) - 5
        return x, a * torch.sin(x + ph)
    return draw


def adapt(theta, x, y, steps, lr=0.02):
    fast = theta
    for _ in range(steps):
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - lr * g for w, g in zip(fast, grads)]
    return fast


theta = init()
meta_opt = torch.optim.Adam(theta, lr=1e-3)
smooth = None
for it in range(420):
    meta_loss = 0
    for _ in range(3):
        draw = task()
        fast = adapt(theta, *draw(8), steps=2)
        xq, yq = draw(8)
        meta_loss = meta_loss + F.mse_loss(net(xq, fast), yq)
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
    smooth = meta_loss.item() if smooth is None else 0.98 * smooth + 0.02 * meta_loss.item()
    if it % 70 == 0:
        print(it, smooth / 3)
