# gradwatch-corpus: kind=none
"""Mean teacher for semi-supervised classification (Tarvainen & Valpola)."""
import itertools
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(51)


def create_model(ema=False):
    model = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 4))
    if ema:
        for p in model.parameters():
            p.detach_()
    return model


def update_ema_variables(model, ema_model, alpha, global_step):
    alpha = min(1 - 1 / (global_step + 1), alpha)
    for ema_p, p in zip(ema_model.parameters(), model.parameters()):
        ema_p.data.mul_(alpha).add_(p.data, alpha=1 - alpha)


def rampup(step, length):
    if step >= length:
        return 1.0
    phase = 1.0 - step / length
    return math.exp(-5.0 * phase * phase)


class AverageMeterSet:
    def __init__(self):
        self.sums, self.counts = {}, {}

    def update(self, name, value):
        self.sums[name] = self.sums.get(name, 0.0) + value
        self.counts[name] = self.counts.get(name, 0) + 1

    def averages(self):
        return {k: round(self.sums[k] / self.counts[k], 4) for k in self.sums}


centers = torch.randn(4, 16)
y_all = torch.randint(0, 4, (640,))
x_all = centers[y_all] + 1.0 * torch.randn(640, 16)
labelled = DataLoader(TensorDataset(x_all[:40], y_all[:40]), batch_size=20, shuffle=True)
unlabelled = DataLoader(TensorDataset(x_all[40:]), batch_size=40, shuffle=True)

model, ema_model = create_model(), create_model(ema=True)
ema_model.load_state_dict(model.state_dict())
opt = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, nesterov=True)
step = 0
endless = itertools.chain.from_iterable(itertools.repeat(labelled))
for epoch in range(6):
    meters = AverageMeterSet()
    for (xu,) in unlabelled:
        xl, yl = next(endless)
        x = torch.cat([xl, xu])
        out = model(x + 0.2 * torch.randn_like(x))
        with torch.no_grad():
            ema_out = ema_model(x + 0.2 * torch.randn_like(x))
        ce = F.cross_entropy(out[: len(xl)], yl)
        weight = 3.0 * rampup(step, 40)
        cons = weight * F.mse_loss(out.softmax(1), ema_out.softmax(1))
        loss = ce + cons
        meters.update("class", ce.item())
        meters.update("cons", cons.item())
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        update_ema_variables(model, ema_model, 0.97, step)
    ema_model.eval()
    with torch.no_grad():
        acc = (ema_model(x_all[40:]).argmax(1) == y_all[40:]).float().mean().item()
    ema_model.train()
    print(epoch, meters.averages(), "ema acc %.3f" % acc)
