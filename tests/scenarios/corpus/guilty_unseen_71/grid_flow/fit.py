import torch
import torch.nn.functional as F


class Fitter:
    def __init__(self, model, lr, ridge=1e-3):
        self.model, self.ridge = model, ridge
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def loss(self, inj, flow):
        return F.mse_loss(self.model(inj), flow)

    def epoch(self, inj, flow, batch):
        total = 0.0
        order = torch.randperm(len(inj)).split(batch)
        for idx in order:
            mse = self.loss(inj[idx], flow[idx])
            objective = mse + self.ridge * self.model.log_b.pow(2).mean()
            self.opt.zero_grad()
            objective.backward()
            self.opt.step()
            total += mse.item()
        return total / len(order)
