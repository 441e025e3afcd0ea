import torch
import torch.nn.functional as F
from torch import nn

from base import RegressionModule


class PowerCurveNet(RegressionModule):
    def __init__(self, n_features, width, lr):
        super().__init__(lr=lr)
        self.net = nn.Sequential(
            nn.Linear(n_features, width),
            nn.SiLU(),
            nn.Linear(width, width),
            nn.SiLU(),
            nn.Linear(width, 1),
        )
        self.curve = []

    def forward(self, x):
        return self.net(x)

    def criterion(self, y_hat, y):
        return F.huber_loss(y_hat, y, delta=0.1)

    def on_train_epoch_end(self):  # <- culprit
        n = self.trainer.num_training_batches
        recent = torch.stack(self.training_step_outputs[-n:])  # <- culprit
        self.log("train_loss", recent.mean())
        self.log("train_loss_max", recent.max())
        self.curve.append((self.current_epoch, recent.mean().item()))
