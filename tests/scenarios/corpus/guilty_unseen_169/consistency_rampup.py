# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | trainer.teacher.weights | self.teacher.weights
# first-bad: 32
# notice: 5
import math

import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(91)

SETTINGS = {
    "warmup_steps": 30,
    "total_steps": 100,
    "momentum": 0.95,
    "consistency": 2.0,
    "optimizer": {"name": "sgd", "lr": 0.05, "momentum": 0.9},
}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}


class Callback:
    def on_train_start(self, trainer): ...
    def on_step_end(self, trainer): ...
    def on_train_end(self, trainer): ...


class MeanTeacher(Callback):
    """Functional teacher: a moving average of the student, kept as plain named tensors."""

    def __init__(self, momentum, start):
        self.momentum, self.start = momentum, start
        self.weights = None

    @property
    def ready(self):
        return self.weights is not None

    def blend(self, old, new):
        return torch.lerp(old, new, 1 - self.momentum)  # <- culprit

    def on_step_end(self, trainer):
        student = dict(trainer.model.named_parameters())  # <- culprit
        if trainer.step < self.start:
            return
        if not self.ready:
            self.weights = {k: v.detach().clone() for k, v in student.items()}
        else:
            self.weights = {k: self.blend(w, student[k]) for k, w in self.weights.items()}  # <- culprit

    def predict(self, model, x):
        return F.softmax(functional_call(model, self.weights, (x,)), dim=1)


class Progress(Callback):
    def on_step_end(self, trainer):
        if trainer.step % 20 == 0:
            print(trainer.step, {k: round(v, 4) for k, v in trainer.last.items()})


class SemiSupervised:
    def __init__(self, cfg, model, labelled, unlabelled):
        self.cfg, self.model = cfg, model
        self.labelled, self.unlabelled = labelled, unlabelled
        spec = dict(cfg["optimizer"])
        self.opt = OPTIMIZERS[spec.pop("name")](model.parameters(), **spec)
        self.teacher = MeanTeacher(cfg["momentum"], cfg["warmup_steps"])
        self.callbacks = [self.teacher, Progress()]
        self.step, self.last = 0, {}

    def ramp(self):
        t = min(1.0, (self.step - self.cfg["warmup_steps"]) / 30)
        return self.cfg["consistency"] * math.exp(-5 * (1 - t) ** 2)

    def losses(self):
        idx = torch.randint(len(self.labelled[0]), (16,))
        out = {"ce": F.cross_entropy(self.model(self.labelled[0][idx]), self.labelled[1][idx])}
        if self.teacher.ready:
            x = self.unlabelled[torch.randint(len(self.unlabelled), (48,))]
            target = self.teacher.predict(self.model, x + 0.1 * torch.randn_like(x))
            mine = F.softmax(self.model(x + 0.1 * torch.randn_like(x)), dim=1)
            out["cons"] = self.ramp() * (mine - target).pow(2).sum(1).mean()
        return out

    def train(self):
        for cb in self.callbacks:
            cb.on_train_start(self)
        while self.step < self.cfg["total_steps"]:
            losses = self.losses()
            self.opt.zero_grad()
            sum(losses.values()).backward()
            self.opt.step()
            self.last = {k: v.item() for k, v in losses.items()}
            for cb in self.callbacks:
                cb.on_step_end(self)
            self.step += 1
        for cb in self.callbacks:
            cb.on_train_end(self)


def spirals(n):
    y = torch.randint(2, (n,))
    r = torch.rand(n) * 3 + 0.3
    a = 1.5 * r + math.pi * y
    return torch.stack([r * a.cos(), r * a.sin()], 1) + 0.05 * torch.randn(n, 2), y


def main():
    x, y = spirals(40)
    model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
    run = SemiSupervised(SETTINGS, model, (x, y), spirals(400)[0])
    run.train()
    xt, yt = spirals(300)
    with torch.no_grad():
        print("accuracy", (model(xt).argmax(1) == yt).float().mean().item())


if __name__ == "__main__":
    main()
