import logging

import torch
from torch import nn

log = logging.getLogger(__name__)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def run(self, text, limit):
        self.model.reset()
        for i, (x, y) in enumerate(text):
            if i == limit:
                break
            self.opt.zero_grad()
            loss = self.loss_fn(self.model(x).flatten(0, 1), y.flatten())
            loss.backward()  # <- culprit
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
            self.opt.step()
            if i % 30 == 0:
                log.info("%d %.4f", i, loss.item())
