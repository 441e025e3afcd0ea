"""Pendulum dynamics with an unknown friction law."""
import torch


def friction(weights, omega):
    h = torch.tanh(omega[..., None] * weights["w1"] + weights["b1"])
    return (h * weights["w2"]).sum(-1)


def true_friction(omega):
    return 0.2 * omega + 0.3 * torch.tanh(4 * omega)


def rollout(theta, omega, law, dt=0.05, steps=4):
    for _ in range(steps):
        omega = omega + dt * (-9.81 * torch.sin(theta) - law(omega))
        theta = theta + dt * omega
    return theta, omega
