# gradwatch-corpus: kind=none
import torch

from callbacks import DeadCodeRevival, EpochMeans, PreviousStepKL
from model import VQAutoencoder
from trainer import Trainer


def batches(n, bs=48):
    for _ in range(n):
        f = torch.randint(1, 6, (bs, 1)).float()
        t = torch.linspace(0, 1, 32)
        yield torch.sin(6.283 * f * t + torch.rand(bs, 1) * 6.283) + 0.05 * torch.randn(bs, 32)


def main():
    torch.manual_seed(23)
    model = VQAutoencoder(n_codes=24)
    trainer = Trainer(model, lr=2e-3, rho=0.02,
                      callbacks=[EpochMeans(), DeadCodeRevival(), PreviousStepKL(0.05)])
    trainer.fit(lambda: batches(25), epochs=4)


if __name__ == "__main__":
    main()
