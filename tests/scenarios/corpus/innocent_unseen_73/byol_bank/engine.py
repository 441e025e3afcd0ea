import torch

from .algo import CentredBYOL


class Clusters:
    def __init__(self, dim=16, k=5):
        self.mu = 2 * torch.randn(k, dim)

    def draw(self, n):
        y = torch.randint(len(self.mu), (n,))
        return self.mu[y] + 0.5 * torch.randn(n, self.mu.size(1)), y

    @staticmethod
    def augment(x):
        return x * (torch.rand_like(x) > 0.2) + 0.1 * torch.randn_like(x)


class Pretrain:
    def __init__(self, iters, batch, hooks):
        self.iters, self.batch, self.hooks = iters, batch, hooks
        self.data = Clusters()
        self.algo = CentredBYOL(16)
        trainable = [p for p in self.algo.parameters() if p.requires_grad]
        self.opt = torch.optim.SGD(trainable, lr=0.05, momentum=0.9, weight_decay=1e-4)
        self.it = 0
        self.loss = None
        self.labels = None

    def fire(self, name):
        for h in self.hooks:
            fn = getattr(h, name, None)
            if fn is not None:
                fn(self)

    def run(self):
        for self.it in range(self.iters):
            x, self.labels = self.data.draw(self.batch)
            self.fire("before")
            self.loss = self.algo(self.data.augment(x), self.data.augment(x))
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self.algo.teacher.follow(self.algo.online)
            self.fire("after")
