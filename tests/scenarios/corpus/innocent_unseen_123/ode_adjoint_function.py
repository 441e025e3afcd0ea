# gradwatch-corpus: kind=none
# Neural ODE of a predator-prey pair with the adjoint written as an autograd.Function.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(300)


def rk4(f, y, dt):
    k1 = f(y)
    k2 = f(y + dt / 2 * k1)
    k3 = f(y + dt / 2 * k2)
    k4 = f(y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y0, field, steps, dt, *weights):
        path = [y0]
        with torch.no_grad():
            for _ in range(steps):
                path.append(rk4(field, path[-1], dt))
        ctx.field, ctx.dt = field, dt
        ctx.save_for_backward(*path)
        return torch.stack(path[1:])

    @staticmethod
    def backward(ctx, g):
        path = ctx.saved_tensors
        weights = tuple(ctx.field.parameters())
        adj = torch.zeros_like(path[0])
        total = [torch.zeros_like(w) for w in weights]
        for y, incoming in zip(reversed(path[:-1]), reversed(g.unbind(0))):
            adj = adj + incoming
            with torch.enable_grad():
                y = y.detach().requires_grad_()
                nxt = rk4(ctx.field, y, ctx.dt)
            adj, *more = torch.autograd.grad(nxt, (y, *weights), adj)
            total = [t + m for t, m in zip(total, more)]
        return (adj, None, None, None, *total)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 2))

    def forward(self, y):
        return self.net(y)

    def solve(self, y0, steps=4, dt=0.2):
        return Adjoint.apply(y0, self, steps, dt, *self.parameters())


def lotka(y):
    a, b = y.unbind(-1)
    return torch.stack([a - a * b, a * b - b], -1)


field = Field()
opt = torch.optim.Adam(field.parameters(), lr=5e-3)
for it in range(420):
    y0 = 0.5 + torch.rand(8, 2)
    truth, y = [], y0
    for _ in range(4):
        y = rk4(lotka, y, 0.2)
        truth.append(y)
    loss = (field.solve(y0) - torch.stack(truth)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 105 == 104:
        print(it + 1, f"{loss.item():.4f}")
