import torch
import torch.nn as nn


class HintRegressor(nn.Module):
    """Maps teacher features to the width of the student (FitNets, reversed)."""

    def __init__(self, teacher_dim, student_dim):
        super().__init__()
        self.map = nn.Sequential(nn.Linear(teacher_dim, student_dim), nn.Tanh())

    def forward(self, f):
        return self.map(f)


class HintCache:
    def __init__(self, teacher, regressor, inputs, chunk=128):
        with torch.no_grad():
            feats = torch.cat([teacher(x) for x in inputs.split(chunk)])
        self.targets = regressor(feats)  # <- culprit

    def __getitem__(self, idx):
        return self.targets[idx]
