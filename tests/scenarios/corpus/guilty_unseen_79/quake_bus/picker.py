import torch
import torch.nn as nn
import torch.nn.functional as F


class Picker(nn.Module):
    """Per-sample onset logits from three-component records."""

    def __init__(self, width=12):
        super().__init__()
        self.front = nn.Conv1d(3, width, 9, padding=4)
        self.blocks = nn.ModuleList(
            nn.Conv1d(width, width, 5, padding=2 * d, dilation=d) for d in (1, 2, 4)
        )
        self.norm = nn.GroupNorm(3, width)
        self.head = nn.Conv1d(width, 1, 1)

    def forward(self, wave):
        h = F.relu(self.front(wave))
        for conv in self.blocks:
            h = h + F.relu(conv(h))
        return self.head(self.norm(h)).squeeze(1)


def onset_loss(logits, onset, width=2.0):
    t = torch.arange(logits.shape[1])
    soft = torch.softmax(-((t[None] - onset[:, None]) / width) ** 2, dim=1)
    return F.kl_div(F.log_softmax(logits, dim=1), soft, reduction="batchmean")
