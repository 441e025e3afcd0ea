import torch.nn.functional as F
from torch import nn


class AnswerModel(nn.Module):
    def __init__(self, features, width=32):
        super().__init__()
        self.hidden = nn.Linear(features, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(F.silu(self.hidden(x))).squeeze(-1)


def answer_loss(logit, answer):
    return F.binary_cross_entropy_with_logits(logit, answer)
