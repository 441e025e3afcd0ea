"""Inner loop of the meta learner: learned per-parameter step sizes, fast weights kept on the adapter."""
import torch
import torch.nn as nn
from torch.func import functional_call


class Adapter(nn.Module):
    def __init__(self, net, steps=4):
        super().__init__()
        self.net = net
        self.steps = steps
        self.rates = nn.ParameterDict({
            name.replace(".", "_"): nn.Parameter(torch.tensor(0.05)) for name, _ in net.named_parameters()
        })
        self.fast = None
        self.trace = []

    def reset(self):
        self.fast = dict(self.net.named_parameters())
        self.trace = []

    def predict(self, x):
        return functional_call(self.net, self.fast, (x,))

    def adapt(self, x, y, loss_fn):
        for _ in range(self.steps):
            loss = loss_fn(self.predict(x), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {
                name: w - self.rates[name.replace(".", "_")] * g
                for (name, w), g in zip(self.fast.items(), grads)
            }
            self.trace.append(loss)
        return self.trace
