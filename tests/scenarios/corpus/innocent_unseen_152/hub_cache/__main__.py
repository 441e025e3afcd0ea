# gradwatch-corpus: kind=none
import torch
from torch import nn

from .callbacks import DropCache, EpochLoss
from .graph import HubNet


class Run:
    def __init__(self, net, callbacks, lr=4e-3):
        self.net = net
        self.callbacks = callbacks
        self.optimizer = torch.optim.Adam(net.parameters(), lr)

    def fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def update(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        spread = self.net.mixing.matrix.pow(2).sum(1).mean()
        loss = loss + 1e-3 * spread
        loss.backward()
        self.optimizer.step()
        self.fire("after_update", loss)

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.fire("before_epoch")
            for x, y in loader:
                self.update(x, y)
            self.fire("after_epoch")


def shipments(hubs, features, batches=20, batch=8, seed=90):
    gen = torch.Generator().manual_seed(seed)
    links = torch.rand(hubs, hubs, generator=gen).pow(4)
    links = links / links.sum(1, keepdim=True)
    out = []
    for _ in range(batches):
        x = torch.rand(batch, hubs, features, generator=gen)
        out.append((x, (links @ x.sum(-1, keepdim=True)).squeeze(-1) / features))
    return out


def main(hubs=12, features=3):
    torch.set_num_threads(1)
    torch.manual_seed(90)
    net = HubNet(hubs, features)
    run = Run(net, [DropCache(net.mixing), EpochLoss()])
    run.fit(shipments(hubs, features), epochs=5)
    print("matrix built", net.mixing.builds, "times")


if __name__ == "__main__":
    main()
