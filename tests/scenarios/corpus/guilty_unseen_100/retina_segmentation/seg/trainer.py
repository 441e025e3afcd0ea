import torch

from .losses import training_loss


class Trainer:
    def __init__(self, cfg, model, train_set, val_set):
        self.cfg, self.model = cfg, model
        self.train_set, self.val_set = train_set, val_set
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.hooks = []
        self.step, self.last_loss = 0, float("nan")

    def add_hook(self, h):
        self.hooks.append(h)
        return h

    def call(self, point):
        for h in self.hooks:
            getattr(h, point)(self)

    def train(self):
        self.call("before_train")
        stream = self.train_set.epochs(self.cfg.batch)
        for self.step in range(self.cfg.steps):
            x, y = next(stream)
            loss = training_loss(self.model(x), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            self.last_loss = loss.item()
            self.call("after_step")
        self.call("after_train")
