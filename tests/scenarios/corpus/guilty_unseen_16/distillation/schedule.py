import torch
from torch import nn


class ClassTemperatures(nn.Module):
    """One temperature per class, kept positive by its logarithm."""

    def __init__(self, classes, start=2.0):
        super().__init__()
        self.log_t = nn.Parameter(torch.full((classes,), start).log())

    def soften(self, logits):
        return (logits / self.log_t.exp()).softmax(dim=1)

    def values(self):
        return self.log_t.detach().exp().tolist()
