# gradwatch-corpus: kind=none
import torch

from .duel import Duel
from .sounds import drum_hits

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(12)
    duel = Duel(latent=8, length=64)
    for step in range(100):
        stats = duel.step(drum_hits(16, 64))
        if step % 20 == 0:
            print(step, {k: round(v, 3) for k, v in stats.items()})
