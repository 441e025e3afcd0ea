# gradwatch-corpus: kind=none
"""Neural ODE with an adjoint method written as an autograd.Function, fitted to pendulum trajectories."""
import torch

torch.set_num_threads(1)
from torch import nn


class Dynamics(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.Tanh(), nn.Linear(h, 2))

    def forward(self, z):
        return self.net(z)


class EulerAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, dt, steps, z0, *params):
        zs = [z0.detach()]
        for _ in range(steps):
            zs.append(zs[-1] + dt * func(zs[-1]))
        ctx.func, ctx.dt = func, dt
        ctx.save_for_backward(*zs)
        return torch.stack(zs[1:])

    @staticmethod
    def backward(ctx, grad):
        zs, func, dt = ctx.saved_tensors, ctx.func, ctx.dt
        ps = tuple(func.parameters())
        adj = torch.zeros_like(zs[0])
        acc = [torch.zeros_like(p) for p in ps]
        for k in range(len(zs) - 2, -1, -1):
            adj = adj + grad[k]
            with torch.enable_grad():
                z = zs[k].detach().requires_grad_()
                f = func(z)
                gz, *gp = torch.autograd.grad(f, (z, *ps), adj)
            acc = [a + dt * g for a, g in zip(acc, gp)]
            adj = adj + dt * gz
        return None, None, None, adj, *acc


def pendulum(n, steps=8, dt=0.1):
    z = torch.stack([2 * torch.rand(n) - 1, torch.randn(n)], 1)
    traj = [z]
    for _ in range(steps):
        th, om = traj[-1].T
        traj.append(traj[-1] + dt * torch.stack([om, -2.0 * torch.sin(th) - 0.1 * om], 1))
    return z, torch.stack(traj[1:])


torch.manual_seed(26)
f = Dynamics()
opt = torch.optim.Adam(f.parameters(), lr=8e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 500)
log = []
for it in range(500):
    z0, target = pendulum(16)
    pred = EulerAdjoint.apply(f, 0.1, 8, z0, *f.parameters())
    loss = (pred - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    log.append(loss.detach())
    if it % 100 == 99:
        print(f"it {it + 1} mse {torch.stack(log).mean():.5f}")
        log = []
