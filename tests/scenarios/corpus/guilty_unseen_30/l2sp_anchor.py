# gradwatch-corpus: kind=graph-chain
# holder: self.reference | self.reference[name] | anchor.reference
# first-bad: 1
"""Fine-tune a small tabular regressor, pulled towards a slowly moving copy of its own weights."""
from collections import OrderedDict

import torch
import torch.nn as nn

CONFIG = {
    "features": 14,
    "hidden": 40,
    "batch": 48,
    "steps": 260,
    "lr": 3e-3,
    "anchor": {"strength": 5e-2, "rate": 0.05},
}


class Callback:
    def on_fit_start(self, model):
        pass

    def on_loss(self, step, model, loss):
        return loss

    def on_step_end(self, step, model, loss):
        pass


class WeightAnchor(Callback):
    """strength * || theta - reference ||^2, where the reference follows theta."""

    def __init__(self, strength, rate):
        self.strength = strength
        self.rate = rate
        self.reference = OrderedDict()

    def on_fit_start(self, model):
        for name, p in model.named_parameters():
            self.reference[name] = p.detach().clone()

    def follow(self, model):
        for name, p in model.named_parameters():
            self.reference[name] = torch.lerp(self.reference[name], p, self.rate)  # <- culprit

    def on_loss(self, step, model, loss):
        self.follow(model)
        pull = sum((p - self.reference[name]).pow(2).sum() for name, p in model.named_parameters())
        return loss + self.strength * pull


class Printer(Callback):
    def on_step_end(self, step, model, loss):
        if step % 65 == 0:
            norm = sum(p.detach().pow(2).sum() for p in model.parameters()).sqrt()
            print(f"step {step:3d}  loss {loss.item():.4f}  |theta| {norm.item():.2f}")


class Fitter:
    def __init__(self, model, cfg, callbacks):
        self.model, self.cfg, self.callbacks = model, cfg, callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.0)

    def run(self, stream):
        for cb in self.callbacks:
            cb.on_fit_start(self.model)
        for step in range(self.cfg["steps"]):
            x, y = next(stream)
            loss = nn.functional.smooth_l1_loss(self.model(x).squeeze(1), y)
            for cb in self.callbacks:
                loss = cb.on_loss(step, self.model, loss)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            for cb in self.callbacks:
                cb.on_step_end(step, self.model, loss)


def table_stream(cfg, seed=5):
    gen = torch.Generator().manual_seed(seed)
    coef = torch.randn(cfg["features"], generator=gen)
    while True:
        x = torch.randn(cfg["batch"], cfg["features"], generator=gen)
        noise = 0.1 * torch.randn(cfg["batch"], generator=gen)
        yield x, torch.tanh(x @ coef) + 0.3 * x[:, 0] * x[:, 1] + noise


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Linear(CONFIG["features"], CONFIG["hidden"]),
        nn.SiLU(),
        nn.Linear(CONFIG["hidden"], CONFIG["hidden"]),
        nn.SiLU(),
        nn.Linear(CONFIG["hidden"], 1),
    )
    anchor = WeightAnchor(**CONFIG["anchor"])
    Fitter(net, CONFIG, [anchor, Printer()]).run(table_stream(CONFIG))
