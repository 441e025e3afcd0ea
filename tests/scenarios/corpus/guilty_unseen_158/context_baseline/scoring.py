import torch
import torch.nn as nn

import run_state


class LevelledScore(nn.Module):
    """Scores are judged after the running level of the run was taken out of both sides."""

    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 1)

    def forward(self, x, target):
        score = torch.sigmoid(self.linear(x)).squeeze(-1)
        level = run_state.blend(score.mean())  # <- culprit
        residual = (score - target) + 0.2 * (level - target.mean())
        return residual, score
