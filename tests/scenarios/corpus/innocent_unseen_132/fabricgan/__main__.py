# gradwatch-corpus: kind=none
"""WGAN with gradient penalty on weave curves.  python -m fabricgan"""
import torch

torch.set_num_threads(1)

from .loop import WeaveTrainer


def main():
    torch.manual_seed(58)
    trainer = WeaveTrainer(critic_rounds=3)
    for k in range(350):
        c, g = trainer.round()
        if k % 70 == 0:
            print(f"{k:4d}  critic {c:+.3f}  generator {g:+.3f}")


main()
