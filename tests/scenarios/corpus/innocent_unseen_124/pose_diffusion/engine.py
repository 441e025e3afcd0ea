import torch


def poses(n):
    a = torch.rand(n, 1) * 3
    return torch.cat([torch.sin(a * k) for k in range(1, 7)], 1)


class Engine:
    def __init__(self, net, callbacks):
        self.net, self.callbacks = net, callbacks
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)
        self.step = 0

    def fit(self, n):
        for _ in range(n):
            x = poses(32)
            t = torch.rand(32)
            noise = torch.randn_like(x)
            c = torch.cos(t * 1.5)[:, None]
            self.pred = self.net(c * x + (1 - c**2).sqrt() * noise, t)
            self.loss = (self.pred - noise).pow(2).mean()
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self.step += 1
            for cb in self.callbacks:
                cb(self)
