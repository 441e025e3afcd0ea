import copy
import torch
from torch import nn
import torch.nn.functional as F


class Server:
    def __init__(self, clients):
        self.model = nn.Sequential(nn.Linear(8, 20), nn.GELU(), nn.Linear(20, 3))
        self.sites = [Site(k) for k in range(clients)]

    def round(self):
        anchor = copy.deepcopy(self.model).requires_grad_(False)
        got = [s.train(copy.deepcopy(self.model), anchor) for s in self.sites]
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                p.copy_(torch.stack([state[name] for state, _ in got]).mean(0))
        return sum(v for _, v in got) / len(got)


class Site:
    def __init__(self, k):
        self.x = torch.randn(60, 8) + 0.1 * k
        self.y = (self.x[:, :3] + 0.1 * torch.randn(60, 3)).argmax(1)

    def train(self, net, anchor, steps=12, mu=0.1):
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        total = 0.0
        for _ in range(steps):
            i = torch.randint(0, 60, (16,))
            loss = F.cross_entropy(net(self.x[i]), self.y[i])
            prox = sum((p - q).square().sum() for p, q in zip(net.parameters(), anchor.parameters()))
            total = total + loss.detach()
            opt.zero_grad()
            (loss + mu * prox).backward()
            opt.step()
        return net.state_dict(), (total / steps).item()
