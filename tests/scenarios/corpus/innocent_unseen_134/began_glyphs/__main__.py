# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .equilibrium import Equilibrium
from .game import Game

torch.manual_seed(64)
game = Game(side=6, noise=4, eq=Equilibrium(gamma=0.7, gain=0.005))
for round_no in range(420):
    game.play()
print("k=%.4f, M=%.3f" % (game.eq.k, min(game.eq.measure)))
