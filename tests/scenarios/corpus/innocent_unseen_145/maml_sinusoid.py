# gradwatch-corpus: kind=none
import math

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(222)

INNER_LR, INNER_STEPS, META_BATCH = 0.01, 2, 4


def init(sizes=(1, 20, 20, 1)):
    theta = []
    for i, o in zip(sizes, sizes[1:]):
        theta.append(torch.nn.Parameter(torch.randn(o, i) * math.sqrt(2 / i)))
        theta.append(torch.nn.Parameter(torch.zeros(o)))
    return theta


def net(x, theta):
    for k in range(0, len(theta) - 2, 2):
        x = torch.relu(F.linear(x, theta[k], theta[k + 1]))
    return F.linear(x, theta[-2], theta[-1])


def task():
    a, ph = 0.1 + 4.9 * torch.rand(()), math.pi * torch.rand(())

    def sample(k=10):
        x = torch.rand(k, 1) * 10 - 5
        return x, a * torch.sin(x + ph)

    return sample


theta = init()
meta = torch.optim.Adam(theta, lr=2e-3)
before_after = []
for iteration in range(450):
    outer = []
    pre = 0.0
    for _ in range(META_BATCH):
        sample = task()
        xs, ys = sample()
        fast = theta
        for step in range(INNER_STEPS):
            inner = F.mse_loss(net(xs, fast), ys)
            if step == 0:
                pre += inner.item() / META_BATCH
            grads = torch.autograd.grad(inner, fast, create_graph=True)
            fast = [w - INNER_LR * g for w, g in zip(fast, grads)]
        xq, yq = sample()
        outer.append(F.mse_loss(net(xq, fast), yq))
    meta_loss = torch.stack(outer).mean()
    meta.zero_grad()
    meta_loss.backward()
    torch.nn.utils.clip_grad_norm_(theta, 10.0)
    meta.step()
    before_after.append((pre, meta_loss.item()))
    if (iteration + 1) % 90 == 0:
        last = before_after[-90:]
        print(iteration + 1, "pre %.3f post %.3f" % tuple(sum(c) / len(last) for c in zip(*last)))
