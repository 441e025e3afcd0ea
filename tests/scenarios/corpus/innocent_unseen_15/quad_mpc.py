# gradwatch-corpus: kind=none
"""Receding-horizon control of a planar quadrotor through a learned residual model:
every control tick refines a warm-started plan by gradients and refits the model once."""
from collections import deque
from typing import NamedTuple

import torch
from torch import nn

DT, HORIZON, INNER = 0.1, 8, 3


class Transition(NamedTuple):
    state: torch.Tensor
    action: torch.Tensor
    next_state: torch.Tensor


def nominal(state, action):
    x, z, th, vx, vz, om = state.unbind(-1)
    thrust, torque = action.unbind(-1)
    ax = -(9.81 + thrust) * torch.sin(th)
    az = (9.81 + thrust) * torch.cos(th) - 9.81
    return torch.stack((x + DT * vx, z + DT * vz, th + DT * om, vx + DT * ax, vz + DT * az, om + DT * 4 * torque), -1)


class RealQuad:
    """What the model does not know: drag and a weak left rotor."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.state = torch.zeros(6)

    def step(self, action):
        s = nominal(self.state, action)
        s = s - DT * torch.cat((torch.zeros(3), 0.3 * s[3:5], 0.4 * s[5:] - 0.2))
        self.state = s + 0.002 * torch.randn(6, generator=self.gen)
        return self.state


class ResidualModel(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, hidden), nn.Tanh(), nn.Linear(hidden, 6))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, state, action):
        return nominal(state, action) + DT * self.net(torch.cat((state, action), -1))


class Planner:
    def __init__(self, model, lr=0.15):
        self.model = model
        self.lr = lr
        self.plan = torch.zeros(HORIZON, 2)

    def rollout(self, state, plan):
        states = []
        for a in plan:
            state = self.model(state, a)
            states.append(state)
        return torch.stack(states)

    def cost(self, states, plan, goal):
        track = (states[:, :2] - goal).pow(2).sum()
        calm = 0.3 * states[:, 2:].pow(2).sum()
        return track + calm + 0.05 * plan.pow(2).sum()

    def shift(self, plan):
        return torch.cat((plan[1:], plan[-1:]))

    def act(self, state, goal):
        plan = self.plan.clone().requires_grad_()
        inner = torch.optim.Adam([plan], lr=self.lr)
        for _ in range(INNER):
            cost = self.cost(self.rollout(state, plan), plan, goal)
            (plan.grad,) = torch.autograd.grad(cost, [plan])
            inner.step()
        best = plan.detach().clamp(-4, 4)
        self.plan = self.shift(best)
        return best[0], float(cost)


class Fitter:
    def __init__(self, model, memory=256):
        self.model = model
        self.memory = deque(maxlen=memory)
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)

    def remember(self, *fields):
        self.memory.append(Transition(*(f.detach().clone() for f in fields)))

    def refit(self, batch, gen):
        picks = torch.randint(len(self.memory), (batch,), generator=gen).tolist()
        s, a, n = (torch.stack(c) for c in zip(*(self.memory[i] for i in picks)))
        loss = ((self.model(s, a) - n) / DT).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def fly(ticks=260):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    quad, model = RealQuad(seed=3), ResidualModel()
    planner, fitter = Planner(model), Fitter(model)
    goals = torch.tensor([[1.0, 1.0], [-1.0, 0.5], [0.0, 1.5]])
    fit = []
    for t in range(ticks):
        before = quad.state
        goal = goals[(t // 60) % len(goals)]
        action, cost = planner.act(before, goal)
        after = quad.step(action)
        fitter.remember(before, action, after)
        fit.append(fitter.refit(32, gen))
        if (t + 1) % 60 == 0:
            miss = (after[:2] - goal).norm().item()
            print(f"t={t * DT:5.1f}s  miss {miss:.3f} m  plan cost {cost:8.2f}  model mse {sum(fit[-20:]) / 20:.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    fly()
