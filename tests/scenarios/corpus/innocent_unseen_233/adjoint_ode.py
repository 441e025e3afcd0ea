# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn


class OdeintAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, z0, n_steps, *params):
        h = 1.0 / n_steps
        z = z0
        for _ in range(n_steps):
            z = z + h * func(z)
        ctx.func = func
        ctx.n_steps = n_steps
        ctx.n_params = len(params)
        ctx.save_for_backward(z, *params)
        return z

    @staticmethod
    def backward(ctx, a):
        z, *params = ctx.saved_tensors
        h = 1.0 / ctx.n_steps
        z = z.detach()
        g_params = [torch.zeros_like(p) for p in params]
        for _ in range(ctx.n_steps):
            with torch.enable_grad():
                zi = z.detach().requires_grad_(True)
                f = ctx.func(zi)
                vjp = torch.autograd.grad(f, [zi] + list(params), a)
            z = z - h * f.detach()
            a = a + h * vjp[0]
            for g, v in zip(g_params, vjp[1:]):
                g.add_(v, alpha=h)
        return (None, a, None, *g_params)


class VectorField(nn.Module):
    def __init__(self, d, hid):
        super().__init__()
        self.l1 = nn.Linear(d, hid)
        self.l2 = nn.Linear(hid, d)
        self.nfe = 0

    def forward(self, z):
        self.nfe += 1
        return self.l2(torch.tanh(self.l1(z)))


class LatentFlow(nn.Module):
    def __init__(self, d_obs=3, d=4, hid=32, n_steps=6):
        super().__init__()
        self.enc = nn.Linear(d_obs, d)
        self.field = VectorField(d, hid)
        self.dec = nn.Linear(d, d_obs)
        self.n_steps = n_steps
        self.recent = deque(maxlen=5)

    def forward(self, x):
        z0 = self.enc(x)
        z1 = OdeintAdjoint.apply(self.field, z0, self.n_steps, *self.field.parameters())
        self.recent.append(z1.detach().mean(0))
        return self.dec(z1)


def lorenz_pairs(n, dt=0.01, k=8):
    s = torch.randn(n, 3) * torch.tensor([8.0, 8.0, 8.0]) + torch.tensor([0.0, 0.0, 25.0])
    s0 = s
    for _ in range(k):
        x, y, z = s.unbind(1)
        ds = torch.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], 1)
        s = s + dt * ds
    return s0 / 10, s / 10


if __name__ == "__main__":
    torch.manual_seed(9)
    model = LatentFlow()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for it in range(100):
        x, y = lorenz_pairs(64)
        loss = (model(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 25 == 0:
            spread = torch.stack(list(model.recent)).std(0, unbiased=False).mean().item()
            print(f"{it} mse {loss.item():.4f} nfe {model.field.nfe} drift {spread:.4f}")
            model.field.nfe = 0
