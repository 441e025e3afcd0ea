import copy

import torch


class ModelEma:
    """A slow copy of a model."""

    def __init__(self, model, decay=0.99):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.module.parameters(), model.parameters()):
            slow.mul_(self.decay).add_(fast, alpha=1 - self.decay)
        for slow, fast in zip(self.module.buffers(), model.buffers()):
            slow.copy_(fast)
