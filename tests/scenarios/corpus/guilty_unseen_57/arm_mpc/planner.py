"""Gradient shooting with a warm start from the plan of the previous tick."""
import torch


class ShootingPlanner:
    def __init__(self, dynamics, horizon, n_joints, inner=3, lr=0.15):
        self.dynamics = dynamics
        self.horizon = horizon
        self.inner = inner
        self.lr = lr
        self.warm = torch.zeros(horizon, n_joints)

    def rollout_cost(self, x0, plan, target):
        x, cost = x0, 0.0
        for u in plan:
            x = self.dynamics(x, u)
            cost = cost + (x[:2] - target).pow(2).sum() + 0.01 * x[2:].pow(2).sum() + 1e-3 * u.pow(2).sum()
        return cost

    def solve(self, x0, target):
        plan = self.warm.clone().requires_grad_(True)
        opt = torch.optim.Adam([plan], lr=self.lr)
        for _ in range(self.inner):
            opt.zero_grad()
            cost = self.rollout_cost(x0, plan, target)
            cost.backward(inputs=[plan])
            opt.step()
        with torch.no_grad():
            self.warm = torch.cat([plan[1:], plan[-1:]]).clone()
        return plan
