import torch
from torch.nn.functional import mse_loss

from functional_net import FastNet
from plugins import plugin


class Algorithm:
    second_order = True

    def __init__(self, hidden, inner_lr, inner_steps):
        self.net = FastNet(hidden)
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.fast = None

    def parameters(self):
        return self.net.parameters()

    def adapt(self, task):
        self.fast = self.net.weights()
        for _ in range(self.inner_steps):
            loss = mse_loss(self.net.with_weights(self.fast, task.sx), task.sy)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=self.second_order)
            self.fast = {n: w - self.inner_lr * g for (n, w), g in zip(self.fast.items(), grads)}
        return loss

    def query_loss(self, task):
        return mse_loss(self.net.with_weights(self.fast, task.qx), task.qy)


@plugin("maml")
class Maml(Algorithm):
    pass


@plugin("fomaml")
class FirstOrder(Algorithm):
    second_order = False
