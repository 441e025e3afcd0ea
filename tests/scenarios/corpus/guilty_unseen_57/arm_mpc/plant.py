"""A planar two-joint arm, joint friction and gravity, semi-implicit Euler."""
import torch


class Arm:
    def __init__(self, dt=0.05, friction=0.3):
        self.dt = dt
        self.friction = friction
        self.inertia = torch.tensor([0.6, 0.25])
        self.x = torch.zeros(4)
        self.trace = []

    def dynamics(self, x, u):
        q, dq = x[:2], x[2:]
        gravity = 0.8 * torch.sin(q)
        coupling = 0.1 * dq.flip(0) * torch.cos(q[0] - q[1])
        ddq = (torch.tanh(u) * 2.0 - self.friction * dq - gravity - coupling) / self.inertia
        dq = dq + self.dt * ddq
        return torch.cat([q + self.dt * dq, dq])

    def apply(self, u, noise=0.002):
        self.x = self.dynamics(self.x, u) + noise * torch.randn(4)  # <- culprit
        q = self.x[:2].detach()
        self.trace.append(q.tolist())
        return q
