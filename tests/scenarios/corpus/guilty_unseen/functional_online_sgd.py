# gradwatch-corpus: kind=graph-chain
# holder: params | self.params | learner.params
# Online learner with functional parameters, adapted from a MAML inner loop.
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class OnlineLearner:
    __slots__ = ("net", "params", "lr", "t")

    def __init__(self, net, lr=0.05):
        self.net = net
        self.params = OrderedDict((k, v) for k, v in net.named_parameters())
        self.lr = lr
        self.t = 0

    def predict(self, x):
        return functional_call(self.net, self.params, (x,))

    def observe(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(loss, list(self.params.values()))
        self.params = OrderedDict((k, p - self.lr * g) for (k, p), g in zip(self.params.items(), grads))  # <- culprit
        self.t += 1
        return float(loss)


def stream(n, d=24):
    w = torch.randn(d, 1)
    for i in range(n):
        if i % 60 == 0:
            w = w + 0.3 * torch.randn(d, 1)  # drift
        x = torch.randn(64, d)
        yield x, torch.tanh(x @ w)


torch.manual_seed(11)
net = nn.Sequential(nn.Linear(24, 160), nn.Tanh(), nn.Linear(160, 160), nn.Tanh(), nn.Linear(160, 1))
learner = OnlineLearner(net)
err = 0.0
for x, y in stream(200):
    err = 0.95 * err + 0.05 * learner.observe(x, y)
    if learner.t % 50 == 0:
        print("t=%d smoothed error %.4f" % (learner.t, err))
