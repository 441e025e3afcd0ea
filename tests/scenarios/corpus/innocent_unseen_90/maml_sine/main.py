# gradwatch-corpus: kind=none
"""Second-order MAML on sinusoids with learnable per-layer step sizes (Meta-SGD flavour)."""
import torch

from fastweights import FastNet
from meta import MetaLearner
from tasks import SineTasks


def main():
    torch.set_num_threads(1)
    torch.manual_seed(55)
    tasks = SineTasks(k=8)
    learner = MetaLearner(FastNet([1, 24, 24, 1]), inner_steps=2, init_lr=0.02)
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    for it in range(320):
        opt.zero_grad()
        loss = learner.meta_loss([tasks.sample() for _ in range(2)])
        loss.backward()
        opt.step()
        if it % 64 == 0:
            print(f"meta-iter {it} {learner.trace.report()}")
    print("step sizes", [round(a.item(), 4) for a in learner.alphas])


main()
