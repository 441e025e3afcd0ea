# gradwatch-corpus: kind=graph-chain
# holder: self.state.level | self.state | engine.callbacks[0].state.level | engine.callbacks[0].state
# first-bad: 1
import torch

import callbacks  # noqa: F401  (registers)
import optimizers  # noqa: F401
from engine import Engine
from registry import CALLBACKS, DATASETS, MODELS, OPTIMIZERS


@MODELS.register("mlp")
def build_mlp(dims):
    layers = []
    for a, b in zip(dims[:-1], dims[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


@DATASETS.register("friedman")
def friedman(n, noise=0.3):
    x = torch.rand(n, 10)
    y = (10 * torch.sin(torch.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
         + 10 * x[:, 3] + 5 * x[:, 4] + noise * torch.randn(n))
    return x, ((y - y.mean()) / y.std()).unsqueeze(1)


CONFIG = {
    "seed": 5,
    "steps": 160,
    "batch_size": 32,
    "retain_graph": True,
    "model": {"type": "mlp", "dims": [10, 48, 48, 1]},
    "data": {"type": "friedman", "n": 2000},
    "optimizer": {"type": "sgd", "lr": 0.05, "momentum": 0.5},
    "callbacks": [
        {"type": "smooth_loss", "beta": 0.8},
        {"type": "printer", "every": 20},
    ],
}


def main(cfg):
    torch.manual_seed(cfg["seed"])
    model = MODELS.build(cfg["model"])
    engine = Engine(
        model=model,
        data=DATASETS.build(cfg["data"]),
        optimizer=OPTIMIZERS.build(cfg["optimizer"], model.parameters()),
        callbacks=[CALLBACKS.build(c) for c in cfg["callbacks"]],
        retain_graph=cfg["retain_graph"],
    )
    engine.run(cfg["steps"], cfg["batch_size"])


if __name__ == "__main__":
    main(CONFIG)
