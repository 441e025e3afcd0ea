import torch
from torch import nn

from mixins import EventBus, ProximalMixin


class BaseTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.events = EventBus()
        self.model = self.build_model()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.step_no = 0

    def fit(self, feed):
        for epoch in range(self.cfg.epochs):
            total, n = 0.0, 0
            for x, y in feed(epoch):
                total += self.train_step(x, y)
                n += 1
            self.events.emit("epoch_end", epoch=epoch, mean_loss=total / n)


class DemandTrainer(ProximalMixin, BaseTrainer):
    def build_model(self):
        c = self.cfg
        return nn.Sequential(nn.Linear(c.features, c.hidden), nn.GELU(), nn.Linear(c.hidden, c.depots))

    def train_step(self, x, y):
        bias = self.model[-1].bias
        fit = nn.functional.smooth_l1_loss(self.model(x), y)
        loss = fit + self.proximal(bias)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        if self.step_no >= self.cfg.prox.start_step - 1:
            self.advance_anchor(bias)
        self.step_no += 1
        return fit.item()
