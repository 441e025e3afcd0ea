import torch


class Monocycle:
    def __init__(self, dt: float) -> None:
        self.dt = dt

    def step(self, s: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
        heading = s[2]
        move = torch.stack([u[0] * heading.cos(), u[0] * heading.sin(), u[1]])
        return s + self.dt * move


def tracking_cost(xs: torch.Tensor, plan: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
    return (xs[:, :2] - ref).pow(2).sum(-1).mean() + 0.005 * plan.pow(2).mean()
