# gradwatch-corpus: kind=inplace-modified
# first-bad: 12
import torch

from networks import Denoiser
from networks import PatchCritic
from phantom import PhantomScanner
from training import CTSettings
from training import DenoiseTrainer


def main():
    settings = CTSettings()
    torch.manual_seed(settings.seed)
    scanner = PhantomScanner(settings.size)
    trainer = DenoiseTrainer(settings, Denoiser(settings.width), PatchCritic(settings.width))
    for iteration in range(settings.iterations):
        low_dose, full_dose = scanner.scan(settings.batch)
        pixel_loss = trainer.train_batch(iteration, low_dose, full_dose)
        if iteration % 4 == 0:
            print(f"iteration {iteration:3d} pixel loss {pixel_loss:.4f}")


if __name__ == "__main__":
    main()
