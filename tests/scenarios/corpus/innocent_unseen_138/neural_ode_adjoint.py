# gradwatch-corpus: kind=none
"""Neural ODE with the adjoint method written as an autograd.Function (Euler), classifying concentric circles."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(14)


def circles(n):
    y = torch.randint(0, 2, (n,))
    r = 0.5 + y * 0.8 + 0.08 * torch.randn(n)
    a = 6.283 * torch.rand(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1), y


class ODEFunc(nn.Module):
    def __init__(self, dim, hidden=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        self.nfe = 0

    def forward(self, t, z):
        self.nfe += 1
        return self.net(torch.cat([z, torch.full_like(z[:, :1], t)], 1))


class EulerAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z0, func, n_steps, *params):
        dt, z = 1.0 / n_steps, z0
        with torch.no_grad():
            for k in range(n_steps):
                z = z + dt * func(k * dt, z)
        ctx.func, ctx.n_steps = func, n_steps
        ctx.save_for_backward(z, *params)
        return z

    @staticmethod
    def backward(ctx, grad_out):
        z, *params = ctx.saved_tensors
        func, n = ctx.func, ctx.n_steps
        dt, a = 1.0 / n, grad_out
        gp = [torch.zeros_like(p) for p in params]
        for k in reversed(range(n)):
            with torch.enable_grad():
                z_in = z.detach().requires_grad_(True)
                f = func(k * dt, z_in)
                grads = torch.autograd.grad(f, [z_in] + params, a)
            z = (z_in - dt * f).detach()
            a = a + dt * grads[0]
            gp = [g + dt * d for g, d in zip(gp, grads[1:])]
        return (a, None, None, *gp)


class ODEBlock(nn.Module):
    def __init__(self, func, n_steps=8):
        super().__init__()
        self.func, self.n_steps = func, n_steps

    def forward(self, z):
        return EulerAdjoint.apply(z, self.func, self.n_steps, *self.func.parameters())


class Classifier(nn.Module):
    def __init__(self, aug=2):
        super().__init__()
        self.aug = aug
        self.block = ODEBlock(ODEFunc(2 + aug))
        self.head = nn.Linear(2 + aug, 2)

    def forward(self, x):
        return self.head(self.block(nn.functional.pad(x, (0, self.aug))))


model = Classifier()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
correct = seen = 0
for step in range(500):
    x, y = circles(32)
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    correct += (logits.argmax(1) == y).sum().item()
    seen += len(y)
    if step % 100 == 99:
        print(f"step {step + 1} loss {loss.item():.4f} acc {correct / seen:.2%} nfe {model.block.func.nfe}")
        correct = seen = 0
