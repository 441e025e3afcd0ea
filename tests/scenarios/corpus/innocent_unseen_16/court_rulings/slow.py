import copy

import torch


class SlowCopy:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).requires_grad_(False).eval()
        self.decay = decay

    @torch.no_grad()
    def follow(self, model):
        mine = self.model.state_dict()
        for name, value in model.state_dict().items():
            mine[name].mul_(self.decay).add_(value, alpha=1 - self.decay)
