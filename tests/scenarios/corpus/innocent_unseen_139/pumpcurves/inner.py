import torch
from torch.func import functional_call


def mse(net, weights, flow, head):
    return (functional_call(net, weights, (flow,)) - head).square().mean()


class InnerLoop:
    def __init__(self, steps, lr):
        self.steps, self.lr = steps, lr
        self.path = []

    def __call__(self, net, support):
        weights = dict(net.named_parameters())
        self.path = [weights]
        for _ in range(self.steps):
            loss = mse(net, weights, *support)
            grads = torch.autograd.grad(loss, tuple(weights.values()), create_graph=True)
            weights = {k: w - self.lr * g for (k, w), g in zip(weights.items(), grads)}
            self.path.append(weights)
        return weights

    def travelled(self):
        first, last = self.path[0], self.path[-1]
        return sum((last[k] - first[k]).detach().norm().item() for k in first)
