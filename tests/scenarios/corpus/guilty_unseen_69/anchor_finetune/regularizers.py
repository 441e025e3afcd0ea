"""Penalties on parameters."""


class Penalty:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, net):
        return self.weight * self.measure(net)

    def measure(self, net):
        raise NotImplementedError


class SlowAnchor(Penalty):
    """Squared distance of each weight matrix to a slowly following copy of itself."""

    def __init__(self, net, match, tau, weight):
        super().__init__(weight)
        self.tau = tau
        self.anchors = {
            name: p.detach().clone()
            for name, p in net.named_parameters()
            if name.startswith(match) and p.dim() == 2
        }

    def follow(self, name, p):
        anchor = self.anchors[name]
        anchor.lerp_(p, 1.0 - self.tau)  # <- culprit
        return anchor

    def measure(self, net):
        params = dict(net.named_parameters())
        total = 0.0
        for name in self.anchors:
            p = params[name]
            total = total + (p - self.follow(name, p)).pow(2).sum()
        return total
