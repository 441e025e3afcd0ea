import itertools

import torch


class Welford:
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def add(self, v):
        self.n += 1
        d = v - self.mean
        self.mean += d / self.n
        self.m2 += d * (v - self.mean)

    @property
    def std(self):
        return (self.m2 / max(1, self.n - 1)) ** 0.5


class Loop:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.stats = Welford()
        self.loss_fn = torch.nn.HuberLoss(delta=0.3)

    def _one(self, now, future):
        loss = self.loss_fn(self.model(now), future)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    def run(self, stream, steps):
        for step, (now, future) in enumerate(itertools.islice(stream, steps)):
            if step == 0:
                self.model.core.begin(now.size(0))
            self.stats.add(self._one(now, future))
            if (step + 1) % 30 == 0:
                print(f"{step + 1:4d}  mae-ish {self.stats.mean:.4f} ± {self.stats.std:.4f}")
