import torch
import torch.nn as nn


class FieldNet(nn.Module):
    def __init__(self, width: int = 24, depth: int = 3):
        super().__init__()
        dims = [2, *[width] * depth, 1]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))

    def forward(self, x: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
        h = torch.stack([x, t], -1)
        for layer in self.layers[:-1]:
            h = torch.tanh(layer(h))
        return self.layers[-1](h).squeeze(-1)


def derivative(y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


def burgers_residual(net: FieldNet, x: torch.Tensor, t: torch.Tensor, nu: float) -> torch.Tensor:
    x = x.requires_grad_()
    t = t.requires_grad_()
    u = net(x, t)
    u_x, u_t = derivative(u, x), derivative(u, t)
    return u_t + u * u_x - nu * derivative(u_x, x)
