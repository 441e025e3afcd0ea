# gradwatch-corpus: kind=grads-accumulate
# first-bad: 40
# notice: 60
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(141)

PIPELINE = [
    {"stage": "denoise", "steps": 40, "lr": 3e-3, "callbacks": ["clear", "clip", "print"]},
    {"stage": "classify", "steps": 80, "lr": 1e-3, "callbacks": ["clip", "early", "print"]},  # <- culprit
]
CALLBACKS, STAGES = {}, {}


def callback(name):
    return lambda cls: CALLBACKS.setdefault(name, cls)


def stage(name):
    return lambda cls: STAGES.setdefault(name, cls)


class Callback:
    def before_backward(self, run): ...
    def after_backward(self, run): ...
    def after_step(self, run): ...


@callback("clear")
class ClearGradients(Callback):
    def before_backward(self, run):
        run.opt.zero_grad()


@callback("clip")
class Clip(Callback):
    def after_backward(self, run):
        nn.utils.clip_grad_norm_(run.params, 1.0)


@callback("early")
class EarlyStop(Callback):
    def __init__(self):
        self.best, self.bad = float("inf"), 0

    def after_step(self, run):
        self.bad = 0 if run.value < self.best else self.bad + 1
        self.best = min(self.best, run.value)
        run.stop = self.bad > 70


@callback("print")
class Print(Callback):
    def after_step(self, run):
        if run.step % 20 == 0:
            print(f"{type(run).__name__:9s} {run.step:3d} {run.value:.4f}")


class Stage:
    def __init__(self, cfg, encoder, data):
        self.cfg, self.encoder, self.data = cfg, encoder, data
        self.head = self.make_head()
        self.params = [*encoder.parameters(), *self.head.parameters()]
        self.opt = torch.optim.SGD(self.params, lr=cfg["lr"])
        self.callbacks = [CALLBACKS[n]() for n in cfg["callbacks"]]
        self.step, self.stop, self.value = 0, False, None

    def fire(self, moment):
        for cb in self.callbacks:
            getattr(cb, moment)(self)

    def run(self):
        while self.step < self.cfg["steps"] and not self.stop:
            loss = self.loss(*self.batch())
            self.fire("before_backward")
            loss.backward()  # <- culprit
            self.fire("after_backward")
            self.opt.step()  # <- culprit
            self.value = loss.item()
            self.fire("after_step")
            self.step += 1
        return self.value

    def batch(self, n=32):
        idx = torch.randint(len(self.data[0]), (n,))
        return tuple(t[idx] for t in self.data)


@stage("denoise")
class Denoise(Stage):
    def make_head(self):
        return nn.Linear(16, 10)

    def loss(self, x, _):
        return F.mse_loss(self.head(self.encoder(x + 0.3 * torch.randn_like(x))), x)


@stage("classify")
class Classify(Stage):
    def make_head(self):
        return nn.Sequential(nn.Dropout(0.1), nn.Linear(16, 3))

    def loss(self, x, y):
        return F.cross_entropy(self.head(self.encoder(x)), y)


def main():
    y = torch.randint(3, (600,))
    x = torch.randn(3, 10)[y] + 0.8 * torch.randn(600, 10)
    encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
    for cfg in PIPELINE:
        last = STAGES[cfg["stage"]](cfg, encoder, (x, y)).run()
        print("stage", cfg["stage"], "ended at", round(last, 4))


if __name__ == "__main__":
    main()
