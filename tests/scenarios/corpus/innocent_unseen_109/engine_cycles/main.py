# gradwatch-corpus: kind=none
"""Multi-task segmentation-ish toy with an event engine; the tasks are weighted GradNorm style."""
import torch

from kit.callbacks import GradNorm, LossBook, SlowTeacher, WeightProbe
from kit.config import build
from kit.engine import Engine

CONFIG = {
    "model": {"name": "two_head", "d": 10, "h": 28},
    "optim": {"name": "adam", "lr": 3e-3},
    "iters": 320,
}


def batches(n, d):
    a, b = torch.randn(d, 4), torch.randn(d, 1)
    for _ in range(n):
        x = torch.randn(32, d)
        yield x, (torch.relu(x) @ a).argmax(1), torch.tanh(x @ b).squeeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(55)
    model = build("model", CONFIG["model"])
    engine = Engine(model, build("optim", CONFIG["optim"], params=model.parameters()))
    engine.attach(GradNorm(start=60, alpha=0.8), SlowTeacher(0.98, every=5), WeightProbe(), LossBook())
    engine.run(batches(CONFIG["iters"], CONFIG["model"]["d"]))
    book = engine.find(LossBook)
    print("mean over run", [round(v, 4) for v in book.overall()])


main()
