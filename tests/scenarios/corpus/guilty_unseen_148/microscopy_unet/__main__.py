# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch

from .nets import SmallUNet
from .tasks import NucleiTrainer

torch.set_num_threads(1)


def main():
    torch.manual_seed(61)
    trainer = NucleiTrainer(SmallUNet(), lr=5e-4, size=24, batch=4)
    trainer.fit(epochs=4, steps_per_epoch=20)


if __name__ == "__main__":
    main()
