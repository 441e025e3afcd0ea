# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.named_parameters()}
        self.backup = {}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.named_parameters():
            self.shadow[k].lerp_(v, 1 - self.decay)

    def __enter__(self):
        self.backup = {k: v.detach().clone() for k, v in self.model.named_parameters()}
        with torch.no_grad():
            for k, v in self.model.named_parameters():
                v.copy_(self.shadow[k])
        return self

    def __exit__(self, *exc):
        with torch.no_grad():
            for k, v in self.model.named_parameters():
                v.copy_(self.backup[k])
        self.backup.clear()

    def applied_to(self, model):
        self.model = model
        return self


torch.manual_seed(14)
model = nn.Sequential(nn.Linear(20, 160), nn.ReLU(), nn.Linear(160, 160), nn.ReLU(), nn.Linear(160, 1))
ema = EMA(model)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
val = torch.randn(256, 20)
best_state, best = None, float("inf")
for it in range(240):
    x = torch.randn(64, 20)
    loss = (model(x) - x.abs().sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(model)
    if it % 20 == 19:
        with ema.applied_to(model), torch.no_grad():
            v = (model(val) - val.abs().sum(1, keepdim=True)).pow(2).mean().item()
        if v < best:
            best, best_state = v, copy.deepcopy(model.state_dict())
            print(it, v)
