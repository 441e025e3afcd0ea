import torch
from torch.func import functional_call


class AveragedTeacher:
    def __init__(self, net, rate):
        self.net, self.rate = net, rate
        self.weights = {k: v.detach().clone() for k, v in net.named_parameters()}

    @torch.no_grad()
    def absorb(self):
        for k, p in self.net.named_parameters():
            self.weights[k] = torch.lerp(self.weights[k], p, 1 - self.rate)

    @torch.no_grad()
    def predict(self, x):
        return functional_call(self.net, self.weights, (x,)).softmax(-1)
