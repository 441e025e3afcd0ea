# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Synthesises single-lead ECG heartbeats with a small GAN, to pad out a rare-class data set."""
import torch

from adversarial import AdversarialTrainer
from beats import real_beats
from nets import Generator, critic

STEPS = 600
BATCH = 32


def spread(x):
    return x.std(dim=0).mean().item()


def main():
    torch.manual_seed(17)
    beats = real_beats(800, seed=17)
    trainer = AdversarialTrainer(Generator(), critic())
    sums = {"d": 0.0, "g": 0.0}
    for step in range(1, STEPS + 1):
        batch = beats[torch.randint(len(beats), (BATCH,))]
        for k, v in trainer.step(batch).items():
            sums[k] += v
        if step % 100 == 0:
            with torch.no_grad():
                sample = trainer.gen.draw(128)
            print(f"{step}: D {sums['d'] / 100:.3f}  G {sums['g'] / 100:.3f}  "
                  f"spread {spread(sample):.3f} vs {spread(beats):.3f}")
            sums = {"d": 0.0, "g": 0.0}


if __name__ == "__main__":
    main()
