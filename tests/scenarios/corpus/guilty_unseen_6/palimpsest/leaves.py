from types import SimpleNamespace

import torch


class Greenhouse:
    def __init__(self, plan):
        self.plan = plan
        rng = torch.Generator().manual_seed(plan.seed + 1)
        n = plan.batches * plan.batch_size
        self.label = torch.randint(plan.classes, (n,), generator=rng)
        tint = torch.randn(plan.classes, 3, 1, 1, generator=rng)
        self.pixels = 0.7 * torch.randn(n, 3, plan.side, plan.side, generator=rng) + tint[self.label]

    def pretrain_signal(self):
        return self.pixels[:64].chunk(4)

    def __iter__(self):
        step = self.plan.batch_size
        for k in torch.randperm(self.plan.batches).tolist():
            cut = slice(k * step, (k + 1) * step)
            yield SimpleNamespace(index=k, pixels=self.pixels[cut], label=self.label[cut])
