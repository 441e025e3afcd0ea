# gradwatch-corpus: kind=none
# Neural ODE with the adjoint method as a custom Function (Chen et al. 2018), Euler steps.
import torch
import torch.nn as nn

torch.manual_seed(0)
torch.set_num_threads(1)


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 40), nn.Tanh(), nn.Linear(40, 2))

    def forward(self, z):
        return self.net(z)


class AdjointEuler(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z0, func, dt, steps, *params):
        ctx.func, ctx.dt, ctx.steps, ctx.nparams = func, dt, steps, len(params)
        with torch.no_grad():
            zs = [z0]
            for _ in range(steps):
                zs.append(zs[-1] + dt * func(zs[-1]))
        out = torch.stack(zs)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_out):
        zs, = ctx.saved_tensors
        params = tuple(ctx.func.parameters())
        a = grad_out[-1].clone()
        gp = [torch.zeros_like(p) for p in params]
        for i in range(ctx.steps - 1, -1, -1):
            with torch.enable_grad():
                z = zs[i].detach().requires_grad_(True)
                f = ctx.func(z)
                gz, *gtheta = torch.autograd.grad(f, (z,) + params, a)
            gp = [g + ctx.dt * d for g, d in zip(gp, gtheta)]
            a = a + ctx.dt * gz + grad_out[i]
        return (a, None, None, None, *gp)


class NeuralODE(nn.Module):
    def __init__(self, func, dt, steps):
        super().__init__()
        self.func, self.dt, self.steps = func, dt, steps

    def forward(self, z0):
        return AdjointEuler.apply(z0, self.func, self.dt, self.steps, *self.func.parameters())


A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
DT, STEPS = 0.05, 12
start = torch.rand(100, 2) * 4 - 2
with torch.no_grad():
    truth = [start]
    for _ in range(STEPS):
        truth.append(truth[-1] + DT * truth[-1] @ A.t())
    truth = torch.stack(truth)

model = NeuralODE(Dynamics(), DT, STEPS)
optimizer = torch.optim.Adam(model.parameters(), 1e-2)
for itr in range(120):
    idx = torch.randint(0, 100, (32,))
    optimizer.zero_grad()
    pred = model(truth[0, idx].clone().requires_grad_(True))
    loss = (pred - truth[:, idx]).pow(2).mean()
    loss.backward()
    optimizer.step()
    if itr % 30 == 0:
        print("Iter {:04d} | Loss {:.6f}".format(itr, loss.item()))
