import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def make_model(dim, classes):
    return nn.Sequential(nn.Linear(dim, 400), nn.ReLU(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, classes))


class Client:
    def __init__(self, cid, x, y):
        self.cid, self.x, self.y = cid, x, y

    def train(self, global_model, steps=1, lr=0.1, batch=64):
        model = copy.deepcopy(global_model)
        opt = torch.optim.SGD(model.parameters(), lr=lr)
        last = 0.0
        for _ in range(steps):
            idx = torch.randint(0, len(self.x), (batch,))
            loss = F.cross_entropy(model(self.x[idx]), self.y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            last = loss.item()
        return {k: v.detach().clone() for k, v in model.state_dict().items()}, len(self.x), last
