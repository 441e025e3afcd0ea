# gradwatch-corpus: kind=none
# about: WGAN-GP with two optimisers, create_graph and a history of fakes; fakes are detached, deque bounded, only the latest generator output is kept
"""WGAN-GP for single heart beats."""
import torch

from duel import Duel
from nets import Critic, Synth, beats

if __name__ == "__main__":
    torch.manual_seed(15)
    duel = Duel(Synth(), Critic())
    for r in range(300):
        duel.play(beats(32))
        if r % 60 == 59:
            peak = duel.last.detach().amax(1).mean().item()
            print(f"round {r + 1} gap {sum(duel.gaps[-60:]) / 60:.3f} fake peak {peak:.2f}")
