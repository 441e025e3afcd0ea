# gradwatch-corpus: kind=none
"""Option-critic on four rooms, one shared network, returns scaled by a running deviation. Trains in
short segments; the current option is carried over from one segment to the next."""
import torch

from learner import OptionCritic, Segment
from rooms import FourRooms


def main(iterations=240, length=10):
    torch.manual_seed(4)
    env = FourRooms(n=12, seed=4)
    oc = OptionCritic(env.n_cells, env.n_actions, n_options=4)
    option = None
    for it in range(iterations):
        seg = Segment()
        for _ in range(length):
            option = oc.act(env, option, seg)
        stats = oc.update(seg, env.cells(), option)
        oc.epsilon = max(0.05, oc.epsilon * 0.99)
        if it % 60 == 0:
            print(f"{it:4d} " + " ".join(f"{k} {v:.3f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
