# gradwatch-corpus: kind=none
from collections import defaultdict, deque
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)

CONFIG = {"width": 32, "lr": 3e-3, "epochs": 6, "batch": 32, "window": 4, "smooth_from": 1, "smooth_weight": 0.2}


@dataclass
class StepState:
    step: int
    epoch: int
    losses: dict


class Bus:
    def __init__(self):
        self.handlers = defaultdict(list)
        self.journal = []

    def on(self, topic):
        def wrap(fn):
            self.handlers[topic].append(fn)
            return fn
        return wrap

    def emit(self, topic, payload):
        self.journal.append((topic, payload))
        for fn in self.handlers[topic]:
            fn(payload)

    def flush(self):
        n = len(self.journal)
        self.journal.clear()
        return n


class Regressor(nn.Module):
    def __init__(self, d, w):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, w), nn.Tanh(), nn.Linear(w, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1)


class WindowTrainer:
    """Collects the micro-batch losses of a window with their graphs, then takes one step on them all."""

    def __init__(self, cfg, data):
        self.cfg, self.data = cfg, data
        self.model = Regressor(data[0].shape[1], cfg["width"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])
        self.bus = Bus()
        self.window = deque(maxlen=cfg["window"])
        self.preds = []
        self.history = []

    def objective(self, epoch):
        losses = torch.stack(list(self.window))
        out = losses.mean()
        if epoch >= self.cfg["smooth_from"]:
            out = out + self.cfg["smooth_weight"] * losses.var()
            means = torch.stack([p.mean() for p in self.preds])
            out = out + 0.01 * (means[1:] - means[:-1]).pow(2).sum()
        return out

    def run_epoch(self, epoch):
        x, y = self.data
        step = 0
        for idx in torch.randperm(len(x)).split(self.cfg["batch"]):
            pred = self.model(x[idx])
            loss = nn.functional.smooth_l1_loss(pred, y[idx])
            self.window.append(loss)
            self.preds.append(pred)
            self.bus.emit("micro", StepState(step, epoch, {"loss": loss, "norm": pred.norm()}))
            step += 1
            if step % self.cfg["window"]:
                continue
            total = self.objective(epoch)
            self.opt.zero_grad()
            total.backward()
            self.opt.step()
            self.bus.emit("update", StepState(step, epoch, {"total": total}))
            self.preds.clear()
            self.window.clear()
            self.bus.flush()
        self.window.clear()
        self.preds.clear()


def main():
    x = torch.randn(2560, 10)
    y = x[:, 0] * x[:, 3] - x[:, 1].abs() + 0.05 * torch.randn(2560)
    trainer = WindowTrainer(CONFIG, (x, y))

    @trainer.bus.on("update")
    def remember(state):
        trainer.history.append(state.losses["total"].item())

    for epoch in range(CONFIG["epochs"]):
        trainer.run_epoch(epoch)
        print(f"epoch {epoch}: {trainer.history[-1]:.4f} after {len(trainer.history)} updates")


if __name__ == "__main__":
    main()
