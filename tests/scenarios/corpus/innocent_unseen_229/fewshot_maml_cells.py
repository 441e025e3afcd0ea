# gradwatch-corpus: kind=none
"""Few-shot dose-response curves: each cell line is a task, MAML with two inner steps."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Conf:
    inner_lr: float = 0.05
    outer_lr: float = 2e-3
    tasks: int = 3
    steps: int = 80


def init_params(width=24):
    shapes = [(width, 1), (width,), (width, width), (width,), (1, width), (1,)]
    params = []
    for s in shapes:
        scale = (1.0 / s[-1]) ** 0.5 if len(s) == 2 else 0.0
        params.append((scale * torch.randn(s)).requires_grad_())
    return params


def net(x, p):
    h = torch.tanh(F.linear(x, p[0], p[1]))
    h = torch.tanh(F.linear(h, p[2], p[3]))
    return F.linear(h, p[4], p[5])


def sample_line(n=10):
    ec50 = 2 * torch.rand(1) - 1
    hill = 1 + 2 * torch.rand(1)
    dose = 4 * torch.rand(2 * n, 1) - 2
    effect = torch.sigmoid(hill * (dose - ec50)) + 0.02 * torch.randn(2 * n, 1)
    return dose[:n], effect[:n], dose[n:], effect[n:]


def adapt(params, x, y, lr, steps=2):
    fast = params
    for _ in range(steps):
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [p - lr * g for p, g in zip(fast, grads)]
    return fast


def main(conf):
    torch.manual_seed(13)
    params = init_params()
    opt = torch.optim.Adam(params, lr=conf.outer_lr)
    curve = []
    for step in range(conf.steps):
        meta = 0.0
        for _ in range(conf.tasks):
            sx, sy, qx, qy = sample_line()
            fast = adapt(params, sx, sy, conf.inner_lr)
            meta = meta + F.mse_loss(net(qx, fast), qy) / conf.tasks
        opt.zero_grad()
        meta.backward()
        opt.step()
        curve.append(meta.item())
        if step % 20 == 19:
            print(f"step {step + 1} query mse {sum(curve[-20:]) / 20:.4f}")


if __name__ == "__main__":
    main(Conf())
