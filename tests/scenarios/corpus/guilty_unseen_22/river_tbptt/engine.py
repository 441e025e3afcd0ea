import torch
from torch import nn


class Engine:
    def __init__(self, net, lr, clip):
        self.net = net
        self.optimizer = torch.optim.RMSprop(net.parameters(), lr=lr)
        self.clip = clip
        self.criterion = nn.MSELoss()
        self.steps = 0

    def _backward(self, loss, keep=True):
        loss.backward(retain_graph=keep)  # <- culprit
        return nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)

    def _update(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.net(x), y)
        self._backward(loss)  # <- culprit
        self.optimizer.step()
        self.steps += 1
        return loss.item()

    def run(self, batches):
        self.net.train()
        losses = [self._update(x, y) for x, y in batches]
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self, batches):
        self.net.eval()
        errors = [self.criterion(self.net(x), y).item() for x, y in batches]
        return sum(errors) / len(errors)
