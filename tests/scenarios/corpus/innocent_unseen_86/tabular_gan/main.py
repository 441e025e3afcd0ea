# gradwatch-corpus: kind=none
"""GAN for a small mixed-scale table, with a replay of earlier fakes."""
import torch

from gan import GanTrainer
from table import sample_rows


def main():
    torch.set_num_threads(1)
    torch.manual_seed(13)
    trainer = GanTrainer(cols=5, noise=8)
    for it in range(320):
        trainer.iteration(sample_rows(48))
        if it % 80 == 79:
            print(it + 1, trainer.report())
    real, fake = sample_rows(800), trainer.generate(800)
    print("mean gap", (real.mean(0) - fake.mean(0)).abs().mean().item())


if __name__ == "__main__":
    main()
