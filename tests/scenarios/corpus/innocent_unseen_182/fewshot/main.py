# gradwatch-corpus: kind=none
"""Second-order MAML on few-shot classification of Gaussian rings."""
import torch

from maml.learner import MetaLearner
from maml.tasks import TaskFamily


def main(iters=420, tasks_per_iter=2):
    torch.manual_seed(15)
    family = TaskFamily(ways=3, shots=4, queries=6)
    learner = MetaLearner(n_in=2, hidden=20, ways=3, inner_lr=0.4, inner_steps=2)
    opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    smoothed = 0.0
    trace = []
    for it in range(iters):
        opt.zero_grad()
        meta_loss, hits = 0.0, 0.0
        for _ in range(tasks_per_iter):
            sx, sy, qx, qy = family.draw()
            loss, acc = learner.episode(sx, sy, qx, qy)
            meta_loss = meta_loss + loss / tasks_per_iter
            hits += acc / tasks_per_iter
        meta_loss.backward()
        opt.step()
        smoothed = 0.98 * smoothed + 0.02 * hits
        trace.append((meta_loss.item(), hits, learner.last_adapted_norm()))
        if it % 60 == 59:
            print(f"it {it + 1} loss {trace[-1][0]:.4f} acc~{smoothed:.3f} |w'| {trace[-1][2]:.3f}")


if __name__ == "__main__":
    main()
