import torch
from torch import nn


class Koopman(nn.Module):
    def __init__(self, obs, latent):
        super().__init__()
        self.lift = nn.Sequential(nn.Linear(obs, 24), nn.Tanh(), nn.Linear(24, latent))
        self.read = nn.Linear(latent, obs)
        self.transition = nn.Parameter(torch.eye(latent) + 0.02 * torch.randn(latent, latent))

    def advance(self, z):
        return z @ self.transition.T


def rollout_loss(model, traj, consistency=0.3):
    z = model.lift(traj[:, 0])
    loss = (model.read(z) - traj[:, 0]).pow(2).mean()
    for k in range(1, traj.shape[1]):
        z = model.advance(z)
        loss = loss + (model.read(z) - traj[:, k]).pow(2).mean()
        loss = loss + consistency * (z - model.lift(traj[:, k])).pow(2).mean()
    return loss / traj.shape[1]
