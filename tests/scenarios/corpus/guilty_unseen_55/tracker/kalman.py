import torch
from torch import nn


class DiagonalKalman(nn.Module):
    def __init__(self, dim, channels):
        super().__init__()
        self.dim = dim
        self.readin = nn.Linear(channels, dim)
        self.log_q = nn.Parameter(torch.full((dim,), -1.0))
        self.log_r = nn.Parameter(torch.full((dim,), 0.5))
        self.raw_decay = nn.Parameter(torch.full((dim,), 2.0))

    def step(self, belief, y):
        z = self.readin(y)
        prior = belief.predict(torch.sigmoid(self.raw_decay), self.log_q.exp())
        r = self.log_r.exp()
        s = prior.cov + r
        nll = 0.5 * ((z.detach() - prior.mean).pow(2) / s + s.log()).mean()
        return prior.correct(z, r), nll

    def levels(self):
        with torch.no_grad():
            return self.log_q.exp().mean().item(), self.log_r.exp().mean().item()
