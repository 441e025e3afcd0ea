# gradwatch-corpus: kind=graph-held
# holder: self.points | curve.points | self.callbacks[0].points | trainer.callbacks[0].points | callbacks[0].points
# first-bad: 5
# notice: 30
"""Distil a wide teacher into a narrow student that only trains its LoRA adapters."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

from callbacks import LossCurve, StepPrinter
from lora import add_lora, lora_parameters


@dataclass
class DistillConfig:
    n_in: int = 24
    n_classes: int = 10
    rank: int = 4
    temperature: float = 2.0
    alpha: float = 0.7
    lr: float = 5e-3
    batch_size: int = 32
    epochs: int = 6
    n_samples: int = 800
    seed: int = 11


def mlp(n_in, width, n_out, depth=3):
    layers, last = [], n_in
    for _ in range(depth):
        layers += [nn.Linear(last, width), nn.GELU()]
        last = width
    return nn.Sequential(*layers, nn.Linear(last, n_out))


class DistillTrainer:
    def __init__(self, student, teacher, cfg, callbacks=()):
        self.student, self.teacher, self.cfg = student, teacher.eval(), cfg
        self.callbacks = list(callbacks)
        self.opt = torch.optim.AdamW(lora_parameters(student), lr=cfg.lr)
        self.global_step = 0

    def compute_loss(self, x, y):
        T = self.cfg.temperature
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / T, dim=-1)
        logits = self.student(x)
        kd = F.kl_div(F.log_softmax(logits / T, -1), soft, reduction="batchmean") * T * T
        ce = F.cross_entropy(logits, y)
        return self.cfg.alpha * kd + (1 - self.cfg.alpha) * ce, {"kd": kd, "ce": ce}

    def fit(self, loader):
        for _ in range(self.cfg.epochs):
            for x, y in loader:
                loss, parts = self.compute_loss(x, y)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(lora_parameters(self.student), 1.0)
                self.opt.step()
                self.global_step += 1
                for cb in self.callbacks:
                    cb.on_step_end(self.global_step, parts)  # <- culprit
        for cb in self.callbacks:
            cb.on_fit_end()


def main():
    cfg = DistillConfig()
    torch.manual_seed(cfg.seed)
    teacher = mlp(cfg.n_in, 64, cfg.n_classes)
    student = add_lora(mlp(cfg.n_in, 32, cfg.n_classes), cfg.rank)
    x = torch.randn(cfg.n_samples, cfg.n_in)
    with torch.no_grad():
        y = teacher(x).argmax(-1)
    data = torch.utils.data.TensorDataset(x, y)
    loader = torch.utils.data.DataLoader(data, batch_size=cfg.batch_size, shuffle=True)

    curve = LossCurve(every=5)
    DistillTrainer(student, teacher, cfg, [curve, StepPrinter(every=25)]).fit(loader)
    with torch.no_grad():
        agree = (student(x).argmax(-1) == y).float().mean()
    print(f"agreement with teacher {agree:.3f} over {len(curve.points['kd'])} curve points")


if __name__ == "__main__":
    main()
