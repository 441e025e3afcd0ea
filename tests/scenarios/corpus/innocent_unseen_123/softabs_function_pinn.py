# gradwatch-corpus: kind=none
"""Own activation as a twice differentiable autograd.Function; damped oscillator residual with second derivatives."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(170)


class SinhActGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return g / torch.sqrt(1 + x * x)

    @staticmethod
    def backward(ctx, gg):
        g, x = ctx.saved_tensors
        root = torch.sqrt(1 + x * x)
        return gg / root, -gg * g * x / root**3


class ArcSinh(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.asinh(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return SinhActGrad.apply(g, x)


class Act(nn.Module):
    def forward(self, x):
        return ArcSinh.apply(x)


u = nn.Sequential(nn.Linear(1, 16), Act(), nn.Linear(16, 16), Act(), nn.Linear(16, 1))


def d(y, t):
    return torch.autograd.grad(y.sum(), t, create_graph=True)[0]


def residual(t):
    x = 1 + t * t * u(t)
    v = d(x, t)
    a = d(v, t)
    return a + 0.4 * v + 4 * x


opt = torch.optim.Adam(u.parameters(), lr=5e-3)
for it in range(600):
    t = (2 * torch.rand(24, 1)).requires_grad_()
    loss = residual(t).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 150 == 149:
        print(it + 1, f"{loss.item():.4f}")
