import torch
from torch import nn

GAIN = torch.tensor([[1.5, 0.0, 0.4, 0.0, -1.5, 0.0], [0.0, 1.5, 0.0, 0.4, 0.0, -1.5]])


class Policy(nn.Module):
    def __init__(self, obs_dim=6, act_dim=2, hidden=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, act_dim)
        )

    def forward(self, obs):
        return torch.tanh(self.net(obs))


def expert_action(state):
    return torch.tanh(-GAIN @ state)


def step_env(state, act, dt=0.1):
    q, qd, goal = state[:2], state[2:4], state[4:]
    qd = 0.95 * qd + dt * act
    q = q + dt * qd
    return torch.cat([q, qd, goal])
