import torch
from torch import nn


class Chirp(torch.autograd.Function):
    """sin(x) with a frequency that is set per call; twice differentiable."""

    @staticmethod
    def forward(ctx, x, omega):
        ctx.save_for_backward(x)
        ctx.omega = omega
        return torch.sin(omega * x)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * ctx.omega * torch.cos(ctx.omega * x), None


class DispersionField(nn.Module):
    def __init__(self, width, omega=2.0):
        super().__init__()
        self.omega = omega
        self.first = nn.Linear(2, width)
        self.second = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x, t):
        h = Chirp.apply(self.first(torch.stack([x, t], dim=-1)), self.omega)
        h = Chirp.apply(self.second(h), 1.0)
        return self.out(h).squeeze(-1)


def initial_spin(x):
    return torch.exp(-20 * (x - 0.5) ** 2)


def wave_residual(field, x, t, stiffness=0.3, gap=0.5):
    x.requires_grad_()
    t.requires_grad_()
    spin = field(x, t)
    s_x, s_t = torch.autograd.grad(spin.sum(), (x, t), create_graph=True)
    s_xx, = torch.autograd.grad(s_x.sum(), x, create_graph=True)
    s_tt, = torch.autograd.grad(s_t.sum(), t, create_graph=True)
    return s_tt - stiffness * s_xx + gap * spin
