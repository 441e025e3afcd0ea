# gradwatch-corpus: kind=crashed
# first-bad: 160
"""Fine-tune a small keyword spotter with FreezeOut-style progressive freezing."""
import math
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn

CONFIG = dict(
    n_classes=5, n_mels=12, frames=32, batch=24, steps=500, lr=0.05, momentum=0.9,
    freeze_every=40, seed=9,
)


def fake_mels(cfg, gen):
    label = torch.randint(0, cfg["n_classes"], (cfg["batch"],), generator=gen)
    t = torch.linspace(0, 1, cfg["frames"])
    centre = 2 + label[:, None] * 1.6 + 2 * torch.sin(2 * math.pi * t * (1 + label[:, None] % 3))
    mel = torch.arange(cfg["n_mels"])[None, :, None]
    spec = torch.exp(-((mel - centre[:, None]) ** 2) / 3)
    return spec + 0.2 * torch.randn(spec.shape, generator=gen), label


def build(cfg):
    c = cfg["n_mels"]
    return nn.Sequential(OrderedDict(
        stem=nn.Sequential(nn.Conv1d(c, 24, 5, padding=2), nn.GroupNorm(4, 24), nn.ReLU()),
        stage1=nn.Sequential(nn.Conv1d(24, 32, 3, stride=2, padding=1), nn.ReLU()),
        stage2=nn.Sequential(nn.Conv1d(32, 32, 3, stride=2, padding=1), nn.ReLU()),
        head=nn.Sequential(nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(32, cfg["n_classes"])),
    ))


class Callback:
    def on_step_start(self, step, model):
        pass

    def on_step_end(self, step, logs):
        pass


class ProgressiveFreeze(Callback):
    def __init__(self, every):
        self.every = every
        self.frozen = []

    def on_step_start(self, step, model):
        if step == 0 or step % self.every:
            return
        stages = list(model.named_children())
        depth = min(step // self.every, len(stages))  # <- culprit
        for name, stage in stages[:depth]:
            if name not in self.frozen:
                stage.requires_grad_(False)  # <- culprit
                self.frozen.append(name)
                print(f"step {step}: froze {name}")


class Console(Callback):
    def __init__(self, every=50):
        self.every, self.acc = every, 0.0

    def on_step_end(self, step, logs):
        self.acc = 0.95 * self.acc + 0.05 * logs["acc"]
        if step % self.every == 0:
            print(f"step {step}: loss {logs['loss']:.3f} acc {self.acc:.3f}")


def fit(model, cfg, callbacks):
    gen = torch.Generator().manual_seed(cfg["seed"])
    opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"])
    for step in range(cfg["steps"]):
        for cb in callbacks:
            cb.on_step_start(step, model)
        x, label = fake_mels(cfg, gen)
        logits = model(x)
        loss = F.cross_entropy(logits, label, label_smoothing=0.05)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        acc = (logits.argmax(1) == label).float().mean().item()
        for cb in callbacks:
            cb.on_step_end(step, {"loss": loss.item(), "acc": acc})


def main():
    torch.manual_seed(CONFIG["seed"])
    model = build(CONFIG)
    fit(model, CONFIG, [ProgressiveFreeze(CONFIG["freeze_every"]), Console()])


if __name__ == "__main__":
    main()
