import torch
import torch.nn.functional as F


class ForecastTrainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def loss(self, now, later):
        return F.mse_loss(self.model(now), later)

    def step(self, pair):
        loss = self.loss(*pair)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
