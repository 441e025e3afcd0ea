import torch

G, L, DAMP, DT = 9.81, 1.0, 0.6, 0.05


def step(state, torque):
    """semi-implicit Euler for a batch of damped pendulums; state = [theta, omega]"""
    theta, omega = state[:, 0], state[:, 1]
    acc = -G / L * torch.sin(theta) - DAMP * omega + torque
    omega = omega + DT * acc
    theta = theta + DT * omega
    return torch.stack([theta, omega], dim=1)


def observe(state):
    theta, omega = state[:, 0], state[:, 1]
    return torch.stack([torch.sin(theta), torch.cos(theta), omega], dim=1)


def initial(n):
    s = torch.zeros(n, 2)
    s[:, 0].uniform_(-0.5, 0.5)
    s[:, 1].uniform_(-0.2, 0.2)
    return s
