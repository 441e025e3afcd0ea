import torch
from torch import nn
from torch.func import functional_call


class FewShotRegressor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.log_lr = nn.Parameter(torch.full((6,), -3.0))

    def adapt(self, x, y, n_steps):
        """Gradient steps on the support set. The path is kept for the outer gradient."""
        weights = dict(self.net.named_parameters())
        trail = [weights]
        for _ in range(n_steps):
            loss = (functional_call(self.net, weights, (x,)) - y).pow(2).mean()
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {
                name: w - lr.exp() * g
                for (name, w), lr, g in zip(weights.items(), self.log_lr, grads)
            }
            trail.append(weights)
        return trail

    def query_losses(self, trail, x, y):
        return [(functional_call(self.net, w, (x,)) - y).pow(2).mean() for w in trail[1:]]
