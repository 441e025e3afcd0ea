import torch
import torch.nn as nn
import torch.nn.functional as F


class Learner(nn.Module):
    def __init__(self, n_in, width, n_way):
        super().__init__()
        self.vars = nn.ParameterList([
            nn.Parameter(nn.init.kaiming_normal_(torch.empty(width, n_in))), nn.Parameter(torch.zeros(width)),
            nn.Parameter(nn.init.xavier_normal_(torch.empty(n_way, width))), nn.Parameter(torch.zeros(n_way))])


def fast_forward(x, weights):
    w1, b1, w2, b2 = weights
    return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)
