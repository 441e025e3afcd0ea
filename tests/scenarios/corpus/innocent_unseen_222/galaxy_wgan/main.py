# gradwatch-corpus: kind=none
"""Galaxy-profile generator: Wasserstein critic with gradient penalty and an averaged generator."""
import logging

import torch

from nets import Critic, Generator, profiles
from training import AdversarialTrainer, Schedule


def main() -> None:
    torch.manual_seed(44)
    trainer = AdversarialTrainer(Generator(8, 32), Critic(32), Schedule(critic_steps=2, penalty=5.0))
    for step in range(80):
        trainer.round(profiles(48, 32))
        if step % 20 == 0:
            logging.info("%3d %s", step, trainer.report())
    sample = trainer.sample(4)
    logging.info("peak of samples %s", [round(v, 2) for v in sample.max(-1).values.tolist()])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
