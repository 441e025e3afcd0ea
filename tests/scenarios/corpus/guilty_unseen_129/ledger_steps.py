# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(73)


@dataclass
class Outcome:
    loss: float
    lr: float
    skipped: bool


class Backprop:
    def __init__(self, scale, keep=False):
        self.scale = scale
        self.run = partial(torch.Tensor.backward, retain_graph=True)  # <- culprit

    def __call__(self, loss):
        self.run(loss * self.scale)


class GradScale:
    def __init__(self, opt, init):
        self.opt, self.value, self.good = opt, init, 0
        self.params = [p for g in opt.param_groups for p in g["params"]]

    def unscale_and_step(self):
        for p in self.params:
            p.grad.div_(self.value)
        ok = all(torch.isfinite(p.grad).all() for p in self.params)
        if ok:
            self.opt.step()
        self.good += ok
        return ok


class Transactions(nn.Module):
    def __init__(self):
        super().__init__()
        self.merchant = nn.EmbeddingBag(30, 8, mode="mean")
        self.amount = nn.Linear(2, 8)
        self.verdict = nn.Linear(8, 1)

    def forward(self, shops, amounts):
        return self.verdict(torch.relu(self.merchant(shops) + self.amount(amounts))).squeeze(1)


class Auditor:
    def __init__(self):
        self.net = Transactions()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.backprop = Backprop(scale=128.0)
        self.scaler = GradScale(self.opt, 128.0)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 100, 0.7)

    def step(self):
        shops = torch.randint(0, 30, (24, 3))
        amounts = torch.randn(24, 2)
        fraud = ((shops[:, 0] > 20) & (amounts[:, 0] > 0)).float()
        loss = nn.functional.binary_cross_entropy_with_logits(self.net(shops, amounts), fraud)
        self.opt.zero_grad()
        self.backprop(loss)
        ok = self.scaler.unscale_and_step()
        self.sched.step()
        return Outcome(loss.item(), self.sched.get_last_lr()[0], not ok)


auditor = Auditor()
log = [auditor.step() for _ in range(450)]
print(log[-1])
