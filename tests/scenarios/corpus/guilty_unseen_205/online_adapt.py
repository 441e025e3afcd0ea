# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | fast
# first-bad: 1
"""Online adaptation of a dynamics model on a drifting system (fast weights via functional_call)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class DynamicsNet(nn.Module):
    def __init__(self, obs_dim=3, act_dim=1, hidden=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(obs_dim + act_dim, hidden), nn.Tanh(),
            nn.Linear(hidden, obs_dim),
        )

    def forward(self, obs, act):
        return obs + 0.1 * self.net(torch.cat([obs, act], -1))


class Pendulum:
    def __init__(self, batch=16, seed=2):
        self.g = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.theta = (torch.rand(batch, generator=self.g) * 2 - 1) * math.pi
        self.omega = torch.zeros(batch)
        self.mass, self.clock = 1.0, 0

    def obs(self):
        return torch.stack([self.theta.cos(), self.theta.sin(), self.omega], -1)

    def step(self, act):
        self.clock += 1
        self.mass = 1.0 + 0.5 * math.sin(self.clock / 80)
        acc = -9.8 * self.theta.sin() + act.squeeze(-1) / self.mass - 0.3 * self.omega
        self.omega = (self.omega + 0.05 * acc).clamp(-6, 6)
        self.theta = self.theta + 0.05 * self.omega
        return self.obs()


class OnlineLearner:
    def __init__(self, model, inner_lr=0.05, max_norm=5.0):
        self.model = model
        self.inner_lr, self.max_norm = inner_lr, max_norm
        self.fast = {k: v.detach().clone().requires_grad_(True) for k, v in model.named_parameters()}

    def predict(self, obs, act):
        return functional_call(self.model, self.fast, (obs, act))

    def adapt(self, obs, act, target):
        loss = F.mse_loss(self.predict(obs, act), target)
        names = list(self.fast)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names], create_graph=True)
        norm = torch.sqrt(sum((g.detach() ** 2).sum() for g in grads))
        scale = (self.max_norm / (norm + 1e-6)).clamp(max=1.0)
        self.fast = {n: self.fast[n] - self.inner_lr * scale * g for n, g in zip(names, grads)}  # <- culprit
        return loss.item()


def rollout(learner, env, steps=410, report=75):
    obs = env.obs()
    window = []
    for t in range(steps):
        act = 2 * torch.randn(env.batch, 1, generator=env.g)
        nxt = env.step(act)
        window.append(learner.adapt(obs, act, nxt))
        obs = nxt
        if (t + 1) % report == 0:
            with torch.no_grad():
                probe = F.mse_loss(learner.predict(obs, torch.zeros_like(act)), obs)
            print(f"t={t + 1:4d} one-step mse {sum(window) / len(window):.5f} drift {probe:.5f}")
            window.clear()


if __name__ == "__main__":
    torch.manual_seed(9)
    rollout(OnlineLearner(DynamicsNet()), Pendulum())
