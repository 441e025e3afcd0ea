# gradwatch-corpus: kind=none
"""Neural ODE with the adjoint method as a custom Function (RK4), fitting a spiral."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(20)


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class OdeAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y0, func, h, steps, *params):
        ys = [y0]
        with torch.no_grad():
            for _ in range(steps):
                ys.append(rk4(func, ys[-1], h))
        ys = torch.stack(ys)
        ctx.func, ctx.h = func, h
        ctx.params = params
        ctx.save_for_backward(ys)
        return ys

    @staticmethod
    def backward(ctx, grad):
        (ys,) = ctx.saved_tensors
        params = ctx.params
        a = grad[-1].clone()
        gp = [torch.zeros_like(p) for p in params]
        for i in range(len(ys) - 2, -1, -1):
            with torch.enable_grad():
                y = ys[i].detach().requires_grad_()
                out = rk4(ctx.func, y, ctx.h)
                g = torch.autograd.grad(out, (y, *params), a)
            a = g[0] + grad[i]
            for acc, gi in zip(gp, g[1:]):
                acc += gi
        return (a, None, None, None, *gp)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, y):
        return self.net(y ** 3)


A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
with torch.no_grad():
    traj = [torch.tensor([[2.0, 0.0]])]
    for _ in range(200):
        traj.append(rk4(lambda y: (y ** 3) @ A, traj[-1], 0.02))
    traj = torch.cat(traj)

field = Field()
opt = torch.optim.RMSprop(field.parameters(), lr=2e-3)
for it in range(80):
    i = torch.randint(0, 190, (12,))
    target = torch.stack([traj[i + k] for k in range(6)])
    pred = OdeAdjoint.apply(traj[i], field, 0.02, 5, *field.parameters())
    loss = (pred - target).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 20 == 0:
        print(it, "%.4f" % loss.item())
