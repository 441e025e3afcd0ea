import itertools

import torch
from torch import nn


class OnlineTrainer:
    def __init__(self, model, steps, lr, clip):
        self.model, self.steps, self.clip = model, steps, clip
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.SmoothL1Loss()

    def run(self, series):
        errors = []
        for t, y in itertools.islice(series, self.steps):
            forecast = self.model(t, y)
            loss = self.loss_fn(forecast, y)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.opt.step()
            errors.append((forecast - y).abs().mean().item())
        return round(sum(errors[:20]) / 20, 3), round(sum(errors[-20:]) / 20, 3)
