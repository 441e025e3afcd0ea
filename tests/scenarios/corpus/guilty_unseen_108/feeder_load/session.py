import torch
from torch.nn import functional as F


class ForecastSession:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.mape_by_day = {}

    def run(self, stream):
        for day, load in stream:
            if not self.model.ready:
                self.model.observe(load)
                continue
            self.mape_by_day[day] = self.one_day(load)
            if day % 35 == 0:
                print("day %3d  mape %.2f%%" % (day, self.mape_by_day[day]))

    def one_day(self, load):
        pred = self.model.forecast()
        loss = F.smooth_l1_loss(pred, load)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.model.observe(load)
        return (100 * (pred - load).abs() / load.abs().clamp(min=1.0)).mean().item()
