"""A simulated test rig that returns (velocity, torque) recordings of one joint."""
import torch

from friction import friction_torque


class JointRig:
    true = [0.45, 0.8, -0.1]

    def __init__(self, noise):
        self.noise = noise
        self._theta = torch.tensor(self.true)

    def record(self, n):
        velocity = torch.empty(n).uniform_(-2.0, 2.0)
        torque = friction_torque(self._theta, velocity)
        return velocity, torque + self.noise * torch.randn(n)
