from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Reply(NamedTuple):
    cid: int
    size: int
    loss: float
    delta: dict


def make_net():
    return nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 3))


class Client:
    def __init__(self, cid, shift, n=40):
        self.cid = cid
        self.x = torch.randn(n, 20) + shift
        self.y = (self.x[:, 0] > shift).long() + (self.x[:, 1] > shift).long()
        self.net = make_net()

    def local_update(self, weights, lr=0.05):
        self.net.load_state_dict(weights)
        opt = torch.optim.SGD(self.net.parameters(), lr=lr)
        loss = F.cross_entropy(self.net(self.x), self.y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        delta = {k: v.detach() - weights[k] for k, v in self.net.state_dict().items()}
        return Reply(self.cid, len(self.x), loss.item(), delta)
