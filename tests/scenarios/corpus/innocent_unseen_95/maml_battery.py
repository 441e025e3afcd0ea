# gradwatch-corpus: kind=none
"""Second-order MAML for battery discharge curves (each cell is a task)."""
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

INNER_LR = 0.08
INNER_STEPS = 2
META_BATCH = 3
META_STEPS = 300


class CurveNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class Cell:
    """A battery cell with its own capacity and internal resistance."""

    def __init__(self):
        self.cap = 0.7 + 0.6 * torch.rand(1)
        self.res = 0.1 + 0.3 * torch.rand(1)

    def sample(self, n):
        soc = torch.rand(n, 1)
        v = 1.2 + 0.5 * soc - self.res / (soc + 0.15) * 0.3 + 0.3 * torch.tanh(8 * (soc * self.cap - 0.3))
        return soc, v + 0.01 * torch.randn(n, 1)


def adapt(model, params, x, y, steps, second_order):
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, params.values(), create_graph=second_order)
        params = OrderedDict((k, p - INNER_LR * g) for (k, p), g in zip(params.items(), grads))
    return params


def meta_loss(model):
    total = 0.0
    for _ in range(META_BATCH):
        cell = Cell()
        sx, sy = cell.sample(8)
        qx, qy = cell.sample(16)
        fast = adapt(model, OrderedDict(model.named_parameters()), sx, sy, INNER_STEPS, True)
        total = total + F.mse_loss(functional_call(model, fast, (qx,)), qy)
    return total / META_BATCH


def meta_test(model, n_cells=10, steps=5):
    errs = []
    for _ in range(n_cells):
        cell = Cell()
        sx, sy = cell.sample(8)
        qx, qy = cell.sample(64)
        start = OrderedDict((k, p.detach().clone().requires_grad_()) for k, p in model.named_parameters())
        fast = adapt(model, start, sx, sy, steps, False)
        with torch.no_grad():
            errs.append(F.mse_loss(functional_call(model, fast, (qx,)), qy).item())
    return sum(errs) / len(errs)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    model = CurveNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    running = None
    for it in range(META_STEPS):
        loss = meta_loss(model)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
        if (it + 1) % 75 == 0:
            print(f"meta step {it + 1}: query {running:.4f}  new cells {meta_test(model):.4f}")


if __name__ == "__main__":
    main()
