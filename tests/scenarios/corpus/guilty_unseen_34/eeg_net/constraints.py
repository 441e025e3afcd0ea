import torch


class MaxNorm:
    """Rescales rows of weight matrices whose norm is over a limit."""

    def __init__(self, limit, every=1):
        self.limit = limit
        self.every = every

    def maybe_apply(self, net, step):
        if step > 0 and step % self.every == 0:
            self.apply(net)  # <- culprit

    @torch.no_grad()
    def apply(self, net):
        for name, p in net.named_parameters():
            if p.dim() > 1:
                norms = p.flatten(1).norm(dim=1).clamp_min(1e-8)
                scale = (self.limit / norms).clamp(max=1.0)
                p.mul_(scale.view(-1, *[1] * (p.dim() - 1)))  # <- culprit
