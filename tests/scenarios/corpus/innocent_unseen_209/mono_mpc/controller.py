import torch

from .plant import Monocycle, tracking_cost


class WarmStartMPC:
    def __init__(self, body: Monocycle, horizon: int, lr: float, inner: int = 3) -> None:
        self.body, self.lr, self.inner = body, lr, inner
        self.plan = torch.zeros(horizon, 2, requires_grad=True)
        self.momentum = torch.zeros_like(self.plan)

    def _rollout(self, state: torch.Tensor) -> torch.Tensor:
        xs = []
        for u in self.plan:
            state = self.body.step(state, u)
            xs.append(state)
        return torch.stack(xs)

    def solve(self, state: torch.Tensor, ref: torch.Tensor):
        for _ in range(self.inner):
            cost = tracking_cost(self._rollout(state), self.plan, ref)
            cost.backward()
            self.momentum = 0.6 * self.momentum + self.plan.grad
            self.plan = (self.plan - self.lr * self.momentum).detach().clamp_(-2, 2).requires_grad_()
        with torch.no_grad():
            predicted = self._rollout(state)
            best = self.plan.clone()
            self.plan = torch.cat([self.plan[1:], self.plan[-1:]])
            self.momentum = self.momentum.roll(-1, 0)
        self.plan.requires_grad_(True)
        return best, predicted
