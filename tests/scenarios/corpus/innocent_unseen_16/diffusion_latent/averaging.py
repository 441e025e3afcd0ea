import torch


class Averaged:
    def __init__(self, net, keep):
        self.keep = keep
        self.shadow = {n: p.detach().clone() for n, p in net.named_parameters()}

    @torch.no_grad()
    def update(self, net):
        for n, p in net.named_parameters():
            self.shadow[n].mul_(self.keep).add_(p, alpha=1 - self.keep)

    @torch.no_grad()
    def swap(self, net):
        """Exchanges the values of the network and of the average; calling it twice changes nothing."""
        for n, p in net.named_parameters():
            held = p.clone()
            p.copy_(self.shadow[n])
            self.shadow[n].copy_(held)
