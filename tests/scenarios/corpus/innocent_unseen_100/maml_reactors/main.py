# gradwatch-corpus: kind=none
"""Second-order MAML over a family of reactor temperature curves; algorithms are plug-ins."""
import torch

import algorithms  # noqa: F401  (fills the registry)
from meta import MetaTrainer
from plugins import create
from tasks import ReactorFamily


def main():
    torch.set_num_threads(1)
    torch.manual_seed(64)
    algo = create("maml", hidden=12, inner_lr=0.1, inner_steps=2)
    trainer = MetaTrainer(algo, lr=5e-3)
    trainer.fit(ReactorFamily(shots=8).batches(tasks=2), iterations=310)
    for name, curve in trainer.curves.items():
        print(name, "first %.3f last %.3f" % (sum(curve[:20]) / 20, sum(curve[-20:]) / 20))


if __name__ == "__main__":
    main()
