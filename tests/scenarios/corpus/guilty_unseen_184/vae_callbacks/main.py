# gradwatch-corpus: kind=graph-held
# holder: self.values[name] | self.values | cb.values['kl'] | cb.values
# first-bad: 1
import argparse

import torch

from callbacks import LatentMonitor, PrintEvery
from model import VAE
from trainer import Trainer


def make_data(n=1024, dim=48, k=6):
    g = torch.Generator().manual_seed(7)
    basis = torch.randn(k, dim, generator=g)
    code = torch.randn(n, k, generator=g)
    return torch.sigmoid(code @ basis + 0.1 * torch.randn(n, dim, generator=g))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=500)
    ap.add_argument("--beta", type=float, default=0.5)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()

    torch.manual_seed(0)
    data = make_data()
    model = VAE(data.shape[1], hidden=64, latent=8)
    trainer = Trainer(model, lr=args.lr, beta=args.beta,
                      callbacks=[PrintEvery(100), LatentMonitor()])
    trainer.fit(data, args.steps, batch_size=64)


if __name__ == "__main__":
    main()
