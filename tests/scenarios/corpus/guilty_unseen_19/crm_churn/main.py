# gradwatch-corpus: kind=graph-held
# holder: self.smooth["loss"] | self.smooth[key] | self.smooth | smoother.smooth["loss"] | smoother.smooth | logs["loss"] | trainer.callbacks[0].smooth['loss']
# first-bad: 1
"""Churn model for the CRM team, trained with our in-house trainer; everything
pluggable is looked up by name in the registry."""
import torch

import callbacks  # noqa: F401  (fills the registry)
import models  # noqa: F401
from registry import CALLBACKS, MODELS
from trainer import Trainer

CONFIG = {
    "seed": 13,
    "steps": 400,
    "batch_size": 64,
    "model": {"name": "churn_mlp", "n_features": 24, "width": 48},
    "optimizer": {"lr": 2e-3, "weight_decay": 1e-4},
    "callbacks": [
        {"name": "loss_smoother", "beta": 0.95},
        {"name": "warmup", "steps": 40},
        {"name": "console", "every": 100},
    ],
}


def customers(cfg):
    """Endless batches of synthetic customers; one third churns."""
    gen = torch.Generator().manual_seed(cfg["seed"])
    n = cfg["model"]["n_features"]
    direction = torch.randn(n, generator=gen)
    while True:
        x = torch.randn(cfg["batch_size"], n, generator=gen)
        score = x @ direction + 0.5 * torch.randn(cfg["batch_size"], generator=gen)
        yield x, (score > 2.0).float()


def build(cfg):
    torch.manual_seed(cfg["seed"])
    spec = dict(cfg["model"])
    model = MODELS.create(spec.pop("name"), **spec)
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    hooks = []
    for spec in cfg["callbacks"]:
        spec = dict(spec)
        hooks.append(CALLBACKS.create(spec.pop("name"), **spec))
    return Trainer(model, optimizer, hooks)


if __name__ == "__main__":
    trainer = build(CONFIG)
    trainer.run(customers(CONFIG), CONFIG["steps"])
    print("finished after", trainer.step, "steps")
