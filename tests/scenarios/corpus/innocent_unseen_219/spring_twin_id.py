# gradwatch-corpus: kind=none
"""Online system identification: a differentiable spring-damper simulator is fitted to a moving observation window."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(83)
DT, HORIZON = 0.05, 12


class SpringNet(nn.Module):
    """Parametric spring-damper plus a learned residual force."""

    def __init__(self, masses):
        super().__init__()
        self.log_k = nn.Parameter(torch.zeros(masses))
        self.log_c = nn.Parameter(torch.full((masses,), -1.0))
        self.residual = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        nn.init.zeros_(self.residual[-1].weight)

    def force(self, x, v):
        left = F.pad(x, (1, 0))[..., :-1]
        stretch = x - left
        pull = self.log_k.exp() * stretch
        f = -pull + F.pad(pull, (0, 1))[..., 1:]
        extra = self.residual(torch.stack([x, v], -1)).squeeze(-1)
        return f - self.log_c.exp() * v + 0.1 * extra

    def step(self, x, v, u):
        a = self.force(x, v) + u
        v = v + DT * a
        return x + DT * v, v

    def rollout(self, x, v, us):
        xs = []
        for u in us:
            x, v = self.step(x, v, u)
            xs.append(x)
        return torch.stack(xs), (x, v)


class Plant:
    def __init__(self, masses):
        self.model = SpringNet(masses).requires_grad_(False)
        self.model.log_k.copy_(torch.linspace(0.5, 1.5, masses))
        self.model.log_c.fill_(-0.5)
        self.x, self.v = torch.zeros(masses), torch.zeros(masses)

    def step(self, u):
        self.x, self.v = self.model.step(self.x, self.v, u)
        return self.x + 0.002 * torch.randn_like(self.x), self.v.clone()


def identify(steps=120, masses=4):
    plant, model = Plant(masses), SpringNet(masses)
    opt = torch.optim.Adam(model.parameters(), lr=2e-2)
    window = deque(maxlen=HORIZON + 1)
    carry = (torch.zeros(masses), torch.zeros(masses))
    averaged = {k: p.detach().clone() for k, p in model.named_parameters()}
    trace = []
    for t in range(steps):
        u = torch.sin(torch.arange(masses) + 0.3 * t) * 2
        x, v = plant.step(u)
        window.append((x, v, u))

        # open-loop twin that runs next to the plant
        with torch.no_grad():
            carry = model.step(*carry, u)
            carry = tuple(0.8 * c + 0.2 * m for c, m in zip(carry, (x, v)))
        if len(window) <= HORIZON:
            continue

        x0, v0, _ = window[0]
        us = [w[2] for w in list(window)[1:]]
        target = torch.stack([w[0] for w in list(window)[1:]])
        pred, _ = model.rollout(x0, v0, us)
        loss = 100 * F.mse_loss(pred, target) + 1e-3 * model.log_k.pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()

        with torch.no_grad():
            for k, p in model.named_parameters():
                averaged[k].lerp_(p, 0.05)
        trace.append({"t": t, "loss": loss.item(), "twin": (carry[0] - x).norm().item()})
        if t % 30 == 0:
            print({k: round(val, 4) for k, val in trace[-1].items()}, averaged["log_k"].numpy().round(2))
    return trace


if __name__ == "__main__":
    print("rows", len(identify()))
