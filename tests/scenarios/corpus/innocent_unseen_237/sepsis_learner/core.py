from collections import defaultdict, deque

import torch


class Recorder:
    def __init__(self, window=32):
        self.history = defaultdict(list)
        self.recent = deque(maxlen=window)

    def log(self, **items):
        for k, v in items.items():
            if torch.is_tensor(v):
                v = v.detach().item()
            self.history[k].append(v)

    def watch(self, logits):
        self.recent.append(logits.detach().clone())

    def spread(self):
        return torch.cat(list(self.recent)).std().item()


class AUROC:
    def __init__(self):
        self.reset()

    def reset(self):
        self.scores = []
        self.labels = []

    def update(self, scores, labels):
        self.scores.append(scores.detach())
        self.labels.append(labels)

    def compute(self):
        s = torch.cat(self.scores)
        y = torch.cat(self.labels)
        pos = s[y == 1]
        neg = s[y == 0]
        return (pos.unsqueeze(1) > neg.unsqueeze(0)).float().mean().item()


class Learner:
    def __init__(self, model, loaders, opt, loss_fn, metric, recorder):
        self.model = model
        self.loaders = loaders
        self.opt = opt
        self.loss_fn = loss_fn
        self.metric = metric
        self.rec = recorder
        self.running = None
        self.loss = None
        self.pred = None

    def batch(self, xb, yb):
        self.pred = self.model(xb)
        self.loss = self.loss_fn(self.pred, yb)
        self.opt.zero_grad()
        self.loss.backward()
        self.opt.step()
        step_loss = self.loss.detach()
        self.running = step_loss if self.running is None else 0.9 * self.running + 0.1 * step_loss
        self.metric.update(self.pred, yb)
        self.rec.watch(self.pred)
        self.rec.log(loss=self.loss, running=self.running)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.metric.reset()
            for xb, yb in self.loaders:
                self.batch(xb, yb)
            print(f"epoch {epoch} running={self.running:.4f} auroc={self.metric.compute():.3f} spread={self.rec.spread():.3f}")
