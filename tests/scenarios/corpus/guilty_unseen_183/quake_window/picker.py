import torch
from torch import nn


class PhasePicker(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(3, width, 7, padding=3), nn.ReLU(), nn.Conv1d(width, width, 7, padding=3), nn.ReLU(),
            nn.Conv1d(width, 1, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1).log_softmax(-1)


def traces(gen, batch=8, length=80):
    onset = torch.randint(15, 65, (batch,), generator=gen)
    t = torch.arange(length)
    after = (t[None] >= onset[:, None]).float()[:, None]
    noise = torch.randn(batch, 3, length, generator=gen)
    return noise * (0.3 + 2.0 * after), onset
