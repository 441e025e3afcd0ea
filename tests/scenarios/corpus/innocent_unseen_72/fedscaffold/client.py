import copy

import torch
import torch.nn.functional as F


class Client:
    def __init__(self, cid, net, shard, mu, lr=0.05):
        self.cid, self.mu, self.lr = cid, mu, lr
        self.x, self.y = shard
        self.net = copy.deepcopy(net)
        self.control = [torch.zeros_like(p) for p in net.parameters()]
        self.anchor = None
        self.last_loss = None

    def receive(self, weights):
        with torch.no_grad():
            for p, w in zip(self.net.parameters(), weights):
                p.copy_(w)
        self.anchor = [w.clone() for w in weights]

    def prox(self):
        return sum((p - a).pow(2).sum() for p, a in zip(self.net.parameters(), self.anchor))

    def train(self, server_control, steps, batch=24):
        opt = torch.optim.SGD(self.net.parameters(), lr=self.lr)
        running = 0
        for _ in range(steps):
            i = torch.randint(len(self.y), (batch,))
            ce = F.cross_entropy(self.net(self.x[i]), self.y[i])
            loss = ce + 0.5 * self.mu * self.prox()
            opt.zero_grad()
            loss.backward()
            for p, c, ci in zip(self.net.parameters(), server_control, self.control):
                p.grad.add_(c - ci)
            opt.step()
            running += ce.detach()
        self.last_loss = running / steps
        return self.upload(server_control, steps)

    @torch.no_grad()
    def upload(self, server_control, steps):
        delta_w, delta_c = [], []
        for k, (p, a, c) in enumerate(zip(self.net.parameters(), self.anchor, server_control)):
            new = self.control[k] - c + (a - p) / (steps * self.lr)
            delta_w.append(p - a)
            delta_c.append(new - self.control[k])
            self.control[k] = new
        return delta_w, delta_c
