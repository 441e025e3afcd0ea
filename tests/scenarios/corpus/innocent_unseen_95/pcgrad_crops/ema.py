import copy

import torch


class ModelEMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model)
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.state_dict().values(), model.state_dict().values()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)
