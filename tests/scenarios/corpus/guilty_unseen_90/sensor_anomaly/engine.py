import torch


class Engine:
    def __init__(self, encoder, stats, lr):
        self.encoder, self.stats, self.lr = encoder, stats, lr
        self.hooks = []
        self.step = 0
        self.opt = None

    def add(self, hook):
        self.hooks.append(hook)

    def call(self, point):
        for h in self.hooks:
            getattr(h, point)(self)

    def compute(self, x):
        self.z, level = self.encoder(x)
        spread = self.stats.distance(self.z).mean()
        volume = torch.relu(0.5 - self.z.std(0)).mean()
        recon = (level - x.pow(2).mean(-1)).pow(2).mean()
        self.loss = 0.05 * spread + volume + recon

    def fit(self, batches):
        for x in batches:
            self.compute(x)
            if self.opt is None:
                self.opt = torch.optim.Adam(self.encoder.parameters(), lr=self.lr)
            self.opt.zero_grad()
            self.call("before_backward")  # <- culprit
            self.loss.backward()
            self.call("after_backward")
            self.opt.step()
            self.call("after_step")
            self.step += 1
