import torch
from torch.nn.functional import cross_entropy

from .data import batches


def fit(net, optimizer, train, epochs, batch, callbacks):
    step = 0
    for _ in range(epochs):
        net.train()
        for x, y in batches(train, batch):
            each = cross_entropy(net(x), y, reduction="none")
            optimizer.zero_grad(set_to_none=True)
            each.mean().backward()
            for cb in callbacks:
                cb.before_update(step, optimizer)
            optimizer.step()
            for cb in callbacks:
                cb.after_update(step, each, y)
            step += 1


@torch.inference_mode()
def accuracy(net, pair):
    net.eval()
    x, y = pair
    return (net(x).argmax(1) == y).float().mean().item()
