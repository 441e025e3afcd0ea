import torch
import torch.nn as nn


class LiftNet(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.register_buffer("scale", torch.tensor([5.0, 20.0, 8.0]))
        self.body = nn.Sequential(nn.Linear(3, width), nn.Softplus(beta=3),
                                  nn.Linear(width, width), nn.Softplus(beta=3), nn.Linear(width, 1))

    def forward(self, section):
        return self.body(section * self.scale)

    def with_slope(self, section):
        section = section.detach().requires_grad_(True)
        lift = self(section)
        grad, = torch.autograd.grad(lift.sum(), section, create_graph=True)
        return lift, grad[:, :1]


class Averaged:
    """Exponential average of the weights, used for the figures."""

    def __init__(self, net, decay=0.98):
        self.decay = decay
        self.values = {k: v.detach().clone() for k, v in net.named_parameters()}

    @torch.no_grad()
    def follow(self, net):
        for k, v in net.named_parameters():
            self.values[k] = self.decay * self.values[k] + (1 - self.decay) * v

    def predict(self, net, section):
        with torch.no_grad():
            return torch.func.functional_call(net, self.values, (section,))


class LossBalance:
    """Learnable weighting of value and slope terms (homoscedastic uncertainty)."""

    def __init__(self, names):
        self.log_var = {n: torch.zeros((), requires_grad=True) for n in names}
        self.last = {}

    def __call__(self, terms):
        total = 0.0
        for n, v in terms.items():
            total = total + v * torch.exp(-self.log_var[n]) + self.log_var[n]
        self.last = terms
        return total

    def describe(self):
        return "  ".join(f"{n} {v.item():.5f}" for n, v in self.last.items())
