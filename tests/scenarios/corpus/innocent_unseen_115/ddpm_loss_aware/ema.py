import torch


class ModelEMA:
    def __init__(self, model, rate):
        self.rate = rate
        self.params = [p.detach().clone() for p in model.parameters()]

    @torch.no_grad()
    def update(self, model):
        for targ, src in zip(self.params, model.parameters()):
            targ.mul_(self.rate).add_(src, alpha=1 - self.rate)
