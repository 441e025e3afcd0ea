import torch

from .quantile import QuantileNet, pinball
from .validator import Validator


def fit(data, epochs, per_epoch):
    net, stop = QuantileNet(), Validator(patience=3, every=1)
    opt = torch.optim.Adam(net.parameters(), lr=2e-2)
    for epoch in range(epochs):
        net.train()
        for _ in range(per_epoch):
            x, y = data.windows(16)
            loss = pinball(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())
        if stop(net, data, epoch):
            break
