import torch
from torch import nn


class RouteNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.inp = nn.Linear(2, d)
        self.ff = nn.Sequential(nn.Linear(2 * d, d), nn.ReLU(inplace=True), nn.Linear(d, d))
        self.q = nn.Linear(2 * d, d)
        self.k = nn.Linear(d, d)
        self.scale = d ** -0.5

    def encode(self, xy):
        h = self.inp(xy)
        g = h.mean(1, keepdim=True).expand_as(h)
        h = h + self.ff(torch.cat([h, g], -1))
        return h, self.k(h)

    def choose(self, memory, tour, greedy):
        h, keys = memory
        now = h[tour.rows, tour.here.clone()]
        q = self.q(torch.cat([h.mean(1), now], -1))
        score = torch.einsum("bd,bnd->bn", q, keys) * self.scale
        score.masked_fill_(tour.closed(), -1e9)
        logp = score.log_softmax(1)
        with torch.no_grad():
            pick = logp.argmax(1) if greedy else torch.multinomial(logp.exp(), 1).squeeze(1)
        return pick, logp.gather(1, pick.unsqueeze(1)).squeeze(1)
