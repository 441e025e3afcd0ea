import torch
import torch.nn.functional as F


class Learner:
    def __init__(self, model, regs=(), lr=0.05):
        self.model = model
        self.regs = list(regs)
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.8)

    def observe(self, x, y):
        self.model.train()
        fit = F.mse_loss(self.model(x), y)
        loss = fit
        for r in self.regs:
            loss = loss + r.penalty()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for r in self.regs:
            r.stepped()
        return fit.item()

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        return F.mse_loss(self.model(x), y).item()
