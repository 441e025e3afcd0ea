# gradwatch-corpus: kind=none
"""Second-order MAML with learned per-parameter step sizes (Meta-SGD), warm-started from the
adapted weights of the last few similar tasks."""
import torch

from learner import MetaSGD
from tasks import SineTasks


def meta_test(learner, tasks, n=5):
    errors = []
    for _ in range(n):
        task = tasks.draw()
        weights = learner.adapt(task, tasks.batch(task, 10), steps=2, second_order=False)
        with torch.no_grad():
            errors.append(learner.loss(weights, tasks.batch(task, 40)).item())
    return sum(errors) / n


def main(iterations=250):
    torch.manual_seed(17)
    tasks, held_out = SineTasks(17), SineTasks(18)
    learner = MetaSGD(width=32, cached=12)
    losses = []
    for it in range(iterations):
        losses.append(learner.meta_step(tasks, n_tasks=2))
        if it % 50 == 0:
            print(f"{it:4d} outer {losses[-1]:.3f} meta-test {meta_test(learner, held_out):.3f} "
                  f"cache {len(learner.cache)} ({learner.cache.hits} hits)")


if __name__ == "__main__":
    main()
