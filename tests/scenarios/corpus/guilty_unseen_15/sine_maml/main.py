# gradwatch-corpus: kind=graph-held
# holder: self.adapted | learner.adapted | self.adapted[task.uid] | learner.adapted[task.uid] | fast
# first-bad: 1
"""Sinusoid regression with MAML (second order), as in section 5.1 of the paper.
Every now and then the learner's adapted weights are checked on fresh points of tasks it has met."""
import torch

from learner import MamlLearner
from tasks import SineFamily

META_BATCH = 2
SHOTS = 10
ITERS = 250


def meta_step(learner, family, opt):
    opt.zero_grad()
    outer = 0.0
    for task in family.draw(META_BATCH):
        fast = learner.adapt(task, task.points(SHOTS))
        xq, yq = task.points(SHOTS)
        outer = outer + learner.mse(fast, xq, yq)
    outer = outer / META_BATCH
    outer.backward()
    opt.step()
    return outer.item()


@torch.no_grad()
def revisit(learner, family, n=4):
    errs = []
    for task in family.recent(n):
        x, y = task.points(50)
        errs.append(learner.mse(learner.recall(task), x, y).item())
    return sum(errs) / len(errs)


def main():
    torch.manual_seed(17)
    family = SineFamily(seed=17, keep=8)
    learner = MamlLearner(hidden=32, inner_lr=0.02, inner_steps=1)
    opt = torch.optim.Adam(learner.meta.values(), lr=2e-3)
    avg = None
    for it in range(ITERS):
        value = meta_step(learner, family, opt)
        avg = value if avg is None else 0.97 * avg + 0.03 * value
        if it % 50 == 49:
            print(f"{it + 1:4d}: outer {avg:.3f}  revisited {revisit(learner, family):.3f}")


if __name__ == "__main__":
    main()
