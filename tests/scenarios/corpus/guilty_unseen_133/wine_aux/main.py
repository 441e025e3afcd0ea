# gradwatch-corpus: kind=second-backward
# holder: ctx.feats | ctx["feats"] | feats | batch.feats | ctx
# first-bad: 60
# notice: 0
import torch

torch.set_num_threads(1)

import extras  # noqa: F401  (fills the registry)
from engine import Engine
from parts import Backbone, tastings
from registry import create

CONFIG = {
    "lr": 6e-3,
    "steps": 360,
    "plugins": [
        {"type": "grad_clip", "limit": 2.0},
        {"type": "acidity_head", "start": 60, "every": 12, "weight": 0.3},
    ],
}


def main():
    torch.manual_seed(27)
    body = Backbone()
    engine = Engine(body, [create(body, **p) for p in CONFIG["plugins"]], CONFIG["lr"])
    for sample in tastings(CONFIG["steps"]):
        engine.train_step(sample)
    print(engine.step_no, engine.last)


main()
