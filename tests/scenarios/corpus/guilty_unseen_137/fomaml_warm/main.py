# gradwatch-corpus: kind=graph-chain
# holder: self.start | learner.start | adapted | self.start["w1"] | learner.start["w1"]
# first-bad: 1
# notice: 5
"""First-order meta-learning of sine families; tasks drift, so each task starts where the last one ended."""
import torch

torch.set_num_threads(1)

from meta import FirstOrderMeta
from tasks import DriftingSines

if __name__ == "__main__":
    torch.manual_seed(6)
    family = DriftingSines(seed=6)
    learner = FirstOrderMeta(hidden=16, inner_lr=0.02, outer_lr=1e-3)
    for n in range(260):
        support, query = family.next_task()
        q = learner.episode(support, query)
        if n % 52 == 51:
            print(f"episode {n + 1}  query mse {q:.4f}")
