import math

import torch


def dynamics(state, torque, dt, g=9.81, l=1.0, m=1.0, friction=0.4):
    """Semi-implicit Euler, angle 0 is upright."""
    theta, omega = state
    acc = g / l * torch.sin(theta) - friction * omega + torque / (m * l * l)
    omega = omega + dt * acc
    theta = theta + dt * omega
    return theta, omega


class Pendulum:
    def __init__(self, theta, omega, dt=0.05):
        self.dt = dt
        self.state = (torch.tensor(float(theta)), torch.tensor(float(omega)))

    def model(self, state, torque):
        return dynamics(state, torque, self.dt)

    def apply(self, torque):
        self.state = self.model(self.state, torque)  # <- culprit
        return self.state

    def angle(self):
        a = self.state[0].item()
        return math.atan2(math.sin(a), math.cos(a))
