import torch


class Tether:
    def __init__(self, net, strength, rate):
        self.net, self.strength, self.rate = net, strength, rate
        self.ref = {n: p.detach().clone() for n, p in net.named_parameters()}

    def pull(self):
        return self.strength * sum((p - self.ref[n]).square().sum() for n, p in self.net.named_parameters())

    @torch.no_grad()
    def follow(self):
        self.ref = {n: torch.lerp(self.ref[n], p, self.rate) for n, p in self.net.named_parameters()}
