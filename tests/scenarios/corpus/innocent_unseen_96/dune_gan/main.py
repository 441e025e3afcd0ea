# gradwatch-corpus: kind=none
"""Small WGAN-GP on dune cross-sections, with a replay of old fakes."""
import torch

from gan import DuneGAN
from hooks import Every, Hooks, Journal

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(17)
    journal = Journal()
    gan = DuneGAN(points=16, latent=4, hooks=Hooks([journal, Every(80, print)]))
    gan.train(330)
    print("steps logged:", len(journal), "mean penalty", f"{journal.mean('penalty'):.4f}")
