import copy

import torch


class EMA:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.module = copy.deepcopy(model)
        self.module.eval()
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        src = dict(model.named_parameters())
        for name, p in self.module.named_parameters():
            p.mul_(self.decay).add_(src[name], alpha=1 - self.decay)

    def __call__(self, *args):
        return self.module(*args)
