# gradwatch-corpus: kind=none
"""Second-order MAML with learned per-step rates, on sinusoids and lines."""
import torch

from meta import MetaLearner
from tasks import TaskSampler


class Annealed:
    """Weight of each inner step's query loss: uniform at first, the last step only in the end."""

    def __init__(self, steps, over):
        self.steps, self.over = steps, over

    def __call__(self, it):
        f = max(0.0, 1 - it / self.over)
        w = [f / self.steps] * self.steps
        w[-1] += 1 - f
        return w


def run(iters=150, tasks_per_batch=4, inner_steps=3):
    learner = MetaLearner(inner_steps=inner_steps)
    sampler = TaskSampler()
    opt = torch.optim.Adam(learner.meta_parameters(), lr=3e-3)
    weights = Annealed(inner_steps, 80)
    history = []
    best = None
    for it in range(iters):
        trace = []
        opt.zero_grad()
        for task in sampler.batch(tasks_per_batch):
            trace.append(learner.query_losses(task))
        meta = sum(w * torch.stack(col).mean() for w, col in zip(weights(it), zip(*trace)))
        meta.backward()
        torch.nn.utils.clip_grad_norm_(list(learner.meta_parameters()), 5.0)
        opt.step()
        history.append(torch.stack([row[-1] for row in trace]).detach())
        if (it + 1) % 50 == 0:
            last = torch.cat(history[-50:]).mean().item()
            post = learner.evaluate(sampler.batch(8))
            if best is None or post < best[0]:
                best = (post, {k: v.detach().clone() for k, v in learner.weights.items()})
            rates = [round(r, 3) for r in learner.rates()]
            print(f"meta-iter {it + 1} train {last:.3f} held-out {post:.3f} inner rates {rates}")
    return best


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(13)
    print("best held-out %.3f" % run()[0])
