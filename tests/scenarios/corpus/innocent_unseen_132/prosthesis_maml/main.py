# gradwatch-corpus: kind=none
"""EMG -> grip force, quick adaptation to a new wearer (second-order MAML)."""
import torch

torch.set_num_threads(1)

from meta import ForceNet, MetaLearner
from wearers import wearer

if __name__ == "__main__":
    torch.manual_seed(17)
    learner = MetaLearner(ForceNet(channels=6), inner_lr=0.1, inner_steps=3)
    tail = []
    for it in range(450):
        tail.append(learner.meta_step([wearer() for _ in range(3)]))
        if it % 75 == 74:
            print(it + 1, f"post-adaptation {sum(tail) / len(tail):.4f}")
            tail = []
