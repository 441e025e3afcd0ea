# gradwatch-corpus: kind=graph-chain
# holder: state | self.state | plant.state
# first-bad: 1
"""Receding-horizon control of a cart through a differentiable simulator: the plan is refined by one
Adam step per tick, its first action is applied and the plan is shifted."""
from dataclasses import dataclass

import torch


@dataclass
class CartParams:
    mass: float = 1.0
    length: float = 0.8
    drag: float = 0.1
    dt: float = 0.03
    g: float = 9.8


def dynamics(p, s, u):
    x, v, th, om = s.unbind(-1)
    acc = (u - p.drag * v) / p.mass
    ang = (p.g * torch.sin(th) - acc * torch.cos(th)) / p.length - 0.1 * om
    return torch.stack([x + p.dt * v, v + p.dt * acc, th + p.dt * om, om + p.dt * ang], -1)


class Plant:
    def __init__(self, params, carts, seed):
        self.params = params
        self.noise = torch.Generator().manual_seed(seed)
        self.state = 0.2 * torch.randn(carts, 4, generator=self.noise)

    def apply(self, u):
        kick = 0.002 * torch.randn(self.state.shape, generator=self.noise)
        s = dynamics(self.params, self.state, u) + kick
        self.state = s.clamp(-3, 3)  # <- culprit
        return self.state


class Planner:
    def __init__(self, params, carts, horizon=10, lr=0.3):
        self.params, self.horizon = params, horizon
        self.plan = torch.zeros(horizon, carts, requires_grad=True)
        self.opt = torch.optim.Adam([self.plan], lr=lr)
        self.weight = torch.tensor([0.5, 0.05, 4.0, 0.1])

    def cost(self, state):
        total = 0.0
        for u in self.plan:
            state = dynamics(self.params, state, u)
            total = total + (self.weight * state.pow(2)).sum(-1).mean() + 1e-3 * u.pow(2).mean()
        return total / self.horizon

    def refine(self, state):
        cost = self.cost(state)
        (self.plan.grad,) = torch.autograd.grad(cost, [self.plan])
        self.opt.step()
        return cost

    def first(self):
        return self.plan[0].clamp(-10, 10)

    def shift(self):
        with torch.no_grad():
            rolled = torch.roll(self.plan, -1, 0)
            rolled[-1] = 0
        self.plan = rolled.requires_grad_()
        self.opt.param_groups[0]["params"] = [self.plan]
        return self.plan


def main(ticks=500, carts=6):
    torch.manual_seed(9)
    params = CartParams()
    plant, planner = Plant(params, carts, 1), Planner(params, carts)
    state = plant.state
    for t in range(ticks):
        cost = planner.refine(state)
        state = plant.apply(planner.first())
        planner.shift()
        if t % 50 == 0:
            print(f"tick {t} cost {cost.item():.4f} |theta| {plant.state[:, 2].abs().mean().item():.3f}")


if __name__ == "__main__":
    main()
