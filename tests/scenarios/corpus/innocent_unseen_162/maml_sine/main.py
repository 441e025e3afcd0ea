# gradwatch-corpus: kind=none
import math

import torch

from learner import FewShotRegressor

torch.set_num_threads(1)
torch.manual_seed(3)


def sample_task():
    amp = 0.5 + 4.0 * torch.rand(())
    phase = math.pi * torch.rand(())

    def draw(n):
        x = 10 * torch.rand(n, 1) - 5
        return x, amp * torch.sin(x + phase)

    return draw


class OuterLoop:
    def __init__(self, model, tasks_per_step=3):
        self.model = model
        self.tasks_per_step = tasks_per_step
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)
        self.last_trails = []
        self.query_curve = []

    def inner_steps(self, it):
        return min(1 + it // 15, 5)

    def step(self, it):
        self.last_trails.clear()
        pending = []
        for _ in range(self.tasks_per_step):
            task = sample_task()
            trail = self.model.adapt(*task(10), n_steps=self.inner_steps(it))
            self.last_trails.append(trail)
            losses = self.model.query_losses(trail, *task(10))
            k = len(losses)
            pending.append(sum((i + 1) * l for i, l in enumerate(losses)) * 2 / (k * (k + 1)))
        meta = torch.stack(pending).mean()
        self.opt.zero_grad()
        meta.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.query_curve.append(meta.detach())
        return meta.item()

    def drift(self):
        """How far the last tasks moved the weights."""
        with torch.no_grad():
            return sum(
                (end[n] - start[n]).norm()
                for start, *_, end in self.last_trails
                for n in start
            ).item()


outer = OuterLoop(FewShotRegressor())
for it in range(120):
    value = outer.step(it)
    if it % 20 == 0:
        print(f"{it:4d} meta-loss {value:.3f} inner {outer.inner_steps(it)} drift {outer.drift():.3f}")
print("mean of the last 20:", torch.stack(outer.query_curve[-20:]).mean().item())
