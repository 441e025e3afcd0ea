# gradwatch-corpus: kind=none
import torch

from .data import copy_task
from .model import TinyGpt
from .loop import Trainer


def main():
    torch.manual_seed(70)
    torch.set_num_threads(1)
    trainer = Trainer(TinyGpt(vocab=16), accumulate=3)
    for micro, tokens in enumerate(copy_task(180)):
        done = trainer.micro_step(tokens)
        if done and trainer.updates % 15 == 0:
            print(f"update {trainer.updates} loss {trainer.last:.3f} norm {trainer.norm:.2f}")


if __name__ == "__main__":
    main()
