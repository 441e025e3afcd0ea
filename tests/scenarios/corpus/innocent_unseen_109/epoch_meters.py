# gradwatch-corpus: kind=none
"""Keypoint regression with a Trainer made out of mixins.  Meters average tensors as they come and are
read (and cleared) at the end of each epoch; the validation phase uses the same meters."""
import torch
import torch.nn as nn
from torch.nn.functional import smooth_l1_loss

EPOCHS, STEPS, VAL = 14, 25, 4


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count, self.trace = 0.0, 0, []

    def add(self, v, n=1):
        self.total = self.total + v * n
        self.count += n
        self.trace.append(v)

    def value(self):
        return self.total / max(self.count, 1)

    def spread(self):
        return torch.stack(self.trace).std().item() if len(self.trace) > 1 else 0.0


class MetricsMixin:
    def setup_metrics(self):
        self.meters = {}
        self.table = []

    def log(self, **kw):
        for k, v in kw.items():
            self.meters.setdefault(k, Meter()).add(v)

    def flush(self, tag):
        row = {k: (float(m.value().detach()), m.spread()) for k, m in self.meters.items() if m.count}
        for m in self.meters.values():
            m.reset()
        self.table.append((tag, row))
        return row


class PhaseMixin:
    phases = {0: {"scale": 1.0}, 4: {"scale": 0.5}, 9: {"scale": 0.25}}

    def enter_epoch(self, e):
        if e in self.phases:
            for k, v in self.phases[e].items():
                setattr(self, k, v)


class Trainer(MetricsMixin, PhaseMixin):
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
        self.setup_metrics()

    def losses(self, x, y):
        out = self.net(x)
        point = smooth_l1_loss(out[:, :8], y)
        bone = (out[:, 2:8] - out[:, :6] - (y[:, 2:8] - y[:, :6])).pow(2).mean()
        return point, bone

    def train_epoch(self, data):
        for x, y in data:
            point, bone = self.losses(x, y)
            loss = point + self.scale * bone
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.log(point=point, bone=bone, loss=loss)

    def val_epoch(self, data):
        for x, y in data:
            point, bone = self.losses(x, y)
            self.log(val_point=point, val_bone=bone)


class Poses:
    def __init__(self):
        self.mix = torch.randn(12, 8) / 3

    def __call__(self, n):
        for _ in range(n):
            x = torch.randn(32, 12)
            yield x, torch.sin(x @ self.mix) + 0.02 * torch.randn(32, 8)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(19)
    poses = Poses()
    trainer = Trainer(nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 8)))
    for e in range(EPOCHS):
        trainer.enter_epoch(e)
        trainer.train_epoch(poses(STEPS))
        trainer.val_epoch(poses(VAL))
        row = trainer.flush(e)
        print(f"epoch {e:2d} " + " ".join(f"{k}={m:.4f}+-{s:.4f}" for k, (m, s) in row.items()))
