# gradwatch-corpus: kind=second-backward
# first-bad: 0
import torch

from nets import Generator, WaveCritic
from steps import AdversarialSteps
from waves import harmonic_batches


def main(iterations=500):
    torch.manual_seed(23)
    steps = AdversarialSteps(Generator(), WaveCritic())
    for i, (mel, wave) in zip(range(iterations), harmonic_batches(batch=6, frames=8, hop=8)):
        logs = steps(mel, wave)
        if i % 100 == 0:
            print(i, logs)


if __name__ == "__main__":
    main()
