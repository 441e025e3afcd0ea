import torch
import torch.nn as nn


class SonarNet(nn.Module):
    """Echo strength over range, with a learned gain against spreading loss."""

    def __init__(self, n_range, n_types):
        super().__init__()
        self.log_gain = nn.Parameter(torch.zeros(n_range))
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool1d(2),
        )
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(16 * (n_range // 4), n_types)

    def forward(self, echo):
        x = (echo * self.log_gain.exp()).unsqueeze(1)
        return self.fc(self.drop(self.features(x).flatten(1)))
