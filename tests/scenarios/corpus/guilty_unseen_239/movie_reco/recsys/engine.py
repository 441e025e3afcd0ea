import torch
from torch.nn import functional as F

from recsys.events import EventBus


class Engine:
    def __init__(self, model, bus: EventBus, lr, reg):
        self.model = model
        self.bus = bus
        self.reg = reg
        self.optim = torch.optim.Adagrad(model.parameters(), lr=lr)

    def fit(self, triples):
        for step, (u, pos, neg) in enumerate(triples):
            good, bad = self.model(u, pos, neg)
            bpr = -F.logsigmoid(good - bad).mean()
            loss = bpr + self.reg * self.model.l2(u, pos)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            self.bus.publish("batch_end", step, loss=loss, margin=(good - bad).mean())  # <- culprit
