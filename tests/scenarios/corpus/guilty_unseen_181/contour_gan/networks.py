import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, z_dim, n_points):
        super().__init__()
        self.n_points = n_points
        self.body = nn.Sequential(
            nn.Linear(z_dim, 48), nn.ReLU(),
            nn.Linear(48, 48), nn.ReLU(),
            nn.Linear(48, 2 * n_points),
        )

    def forward(self, z):
        return torch.tanh(self.body(z)).view(-1, 2, self.n_points)


class Critic(nn.Module):
    def __init__(self, n_points):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(2, 12, 3, padding=1, padding_mode="circular"), nn.LeakyReLU(0.2),
            nn.Conv1d(12, 16, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
        )
        self.fc = nn.Linear(16 * (n_points // 2), 1)

    def forward(self, c):
        return self.fc(self.conv(c).flatten(1))
