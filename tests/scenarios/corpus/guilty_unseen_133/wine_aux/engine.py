from types import SimpleNamespace

import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, body, plugins, lr):
        self.body, self.plugins = body, plugins
        extra = [p for pl in plugins for p in pl.parameters()]
        self.opt = torch.optim.Adam([*body.parameters(), *extra], lr=lr)
        self.step_no, self.last = 0, float("nan")

    def fire(self, when, ctx):
        for pl in self.plugins:
            fn = getattr(pl, when, None)
            if fn is not None:
                fn(ctx)

    def train_step(self, sample):
        feats, score = self.body(sample.chem)
        ctx = SimpleNamespace(step=self.step_no, sample=sample, feats=feats, engine=self)
        loss = F.mse_loss(score, sample.score)
        self.opt.zero_grad()
        loss.backward()  # <- culprit
        self.fire("after_backward", ctx)
        self.opt.step()
        self.last = loss.item()
        self.step_no += 1
