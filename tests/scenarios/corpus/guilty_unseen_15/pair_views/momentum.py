from torch.func import functional_call


class MovingTarget:
    """Holds averaged weights by name and runs the online architecture with them."""

    def __init__(self, net, tau):
        self.net = net
        self.tau = tau
        self.shadow = {k: p.detach().clone() for k, p in net.named_parameters()}

    def __call__(self, x):
        return functional_call(self.net, self.shadow, (x,))

    def follow(self, net):
        for k, p in net.named_parameters():
            self.shadow[k] = self.shadow[k].lerp(p, 1 - self.tau)  # <- culprit
