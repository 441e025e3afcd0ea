import torch
from torch import nn


class KWSModel(nn.Module):
    def __init__(self, idim, hdim, layers=2):
        super().__init__()
        self.pre = nn.Linear(idim, hdim)
        self.tcn = nn.ModuleList(nn.Conv1d(hdim, hdim, 5, dilation=2 ** i, padding=2 ** (i + 1)) for i in range(layers))
        self.classifier = nn.Linear(hdim, 1)

    def forward(self, x):
        h = torch.relu(self.pre(x)).transpose(1, 2)
        for conv in self.tcn:
            h = h + torch.relu(conv(h))
        return torch.sigmoid(self.classifier(h.transpose(1, 2)))


def max_pooling_loss(prob, target, lengths):
    mask = torch.arange(prob.size(1))[None] < lengths[:, None]
    top = prob.squeeze(-1).masked_fill(~mask, 0.0).max(1).values.clamp(1e-6, 1 - 1e-6)
    loss = torch.where(target == 1, -top.log(), -(1 - top).log()).mean()
    acc = ((top > 0.5).long() == target).float().mean().item()
    return loss, acc
