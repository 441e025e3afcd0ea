# gradwatch-corpus: kind=inplace-modified
# first-bad: 5
import torch

from models import Encoder, Generator
from recording import Recording
from schedule import AlternatingFit


def main():
    torch.manual_seed(303)
    rec = Recording(n_cells=30, n_latent=3, seed=5)
    encoder = Encoder(30, 3)
    generator = Generator(3, 30)
    fit = AlternatingFit(encoder, generator, consistency_every=5)
    for k in range(100):
        counts = rec.bin_batch(48)
        fit.step(k, counts)
        if k % 10 == 0:
            print(k, {name: round(v[-1], 4) for name, v in fit.history.items() if v})


if __name__ == "__main__":
    main()
