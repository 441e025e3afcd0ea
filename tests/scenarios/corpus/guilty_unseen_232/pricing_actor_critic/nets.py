import torch
from torch import nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, obs):
        return F.softplus(self.fc2(torch.relu(self.fc1(obs)))).squeeze(1)


class Critic(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.fc1 = nn.Linear(n_in + 1, 48)
        self.fc2 = nn.Linear(48, 48)
        self.fc3 = nn.Linear(48, 1)

    def forward(self, obs, margin):
        x = torch.cat([obs, margin.unsqueeze(1)], dim=1)
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.fc3(x).squeeze(1)
