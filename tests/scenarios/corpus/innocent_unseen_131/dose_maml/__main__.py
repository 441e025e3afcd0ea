# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from .patients import cohort
from .learner import MetaLearner


def main():
    torch.manual_seed(6)
    meta = MetaLearner(inner_lr=0.1, inner_steps=2)
    opt = torch.optim.Adam(meta.theta.values(), lr=3e-3)
    for it in range(420):
        outer = []
        for support, query in cohort(4):
            fast = meta.adapt(support)
            outer.append(meta.mse(fast, query))
        loss = torch.stack(outer).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 100 == 0:
            print(it, loss.item())


main()
