# gradwatch-corpus: kind=none
import torch

from .duel import Duel
from .nets import critic, generator

torch.set_num_threads(1)
torch.manual_seed(88)

duel = Duel(generator(4, 16), critic(16), weight=5.0)

if __name__ == "__main__":
    for r in range(220):
        w = duel.round()
    print("wasserstein", round(w, 4))
