# gradwatch-corpus: kind=none
# %% MAML on sinusoids, second order
import math

import torch
import torch.nn.functional as F

torch.manual_seed(6)
INNER_LR = 0.05
INNER_STEPS = 3
META_BATCH = 4
META_ITERS = 80


# %%
class Task:
    def __init__(self):
        self.amp = 0.5 + 4 * torch.rand(())
        self.phase = math.pi * torch.rand(())

    def draw(self, k):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


def init(sizes):
    ps = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        ps.append((torch.randn(b, a) * (2 / a) ** 0.5).requires_grad_())
        ps.append(torch.zeros(b, requires_grad=True))
    return ps


def net(x, ps):
    for i in range(0, len(ps) - 2, 2):
        x = torch.relu(F.linear(x, ps[i], ps[i + 1]))
    return F.linear(x, ps[-2], ps[-1])


# %%
theta = init([1, 40, 40, 1])
meta_opt = torch.optim.Adam(theta, lr=1e-3)
trace = []
for it in range(META_ITERS):
    meta_loss = 0
    for _ in range(META_BATCH):
        task = Task()
        fast = theta
        xs, ys = task.draw(10)
        for _ in range(INNER_STEPS):
            inner = F.mse_loss(net(xs, fast), ys)
            grads = torch.autograd.grad(inner, fast, create_graph=True)
            fast = [p - INNER_LR * g.clamp(-10, 10) for p, g in zip(fast, grads)]
        xq, yq = task.draw(10)
        meta_loss = meta_loss + F.mse_loss(net(xq, fast), yq)
    meta_loss = meta_loss / META_BATCH
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
    trace.append(meta_loss.item())

# %%
for k in range(0, META_ITERS, 20):
    print(k, sum(trace[k:k + 20]) / 20)
