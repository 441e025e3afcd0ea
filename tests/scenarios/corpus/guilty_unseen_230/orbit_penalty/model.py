import torch
from torch import Tensor, nn


class HamiltonianNet(nn.Module):
    """Scalar energy over (q, p); the flow is its symplectic gradient."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(4, hidden),
            nn.Tanh(),
            nn.Linear(hidden, hidden),
            nn.Tanh(),
            nn.Linear(hidden, 1),
        )

    def forward(self, state: Tensor) -> Tensor:
        return self.body(state).squeeze(-1)

    def flow(self, state: Tensor) -> Tensor:
        state = state.detach().requires_grad_()
        energy = self(state).sum()
        (grad,) = torch.autograd.grad(energy, state, create_graph=True)
        dq, dp = grad.chunk(2, dim=-1)
        return torch.cat([dp, -dq], dim=-1)


def orbit_batch(n: int) -> tuple[Tensor, Tensor]:
    radius = 0.8 + 0.4 * torch.rand(n, 1)
    angle = 6.2832 * torch.rand(n, 1)
    speed = radius.rsqrt()
    position = radius * torch.cat([angle.cos(), angle.sin()], dim=1)
    momentum = speed * torch.cat([-angle.sin(), angle.cos()], dim=1)
    force = -position / radius.pow(3)
    return torch.cat([position, momentum], dim=1), torch.cat([momentum, force], dim=1)
