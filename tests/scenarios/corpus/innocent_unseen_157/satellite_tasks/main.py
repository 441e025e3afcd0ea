# gradwatch-corpus: kind=none
"""Three tasks on one trunk with projected gradients; now and then a section measures where time goes."""
import time
from contextlib import contextmanager

import torch

from conflict import project_conflicts, flat_grads, assign
from tasks import MultiTaskNet, tiles, task_losses

torch.set_num_threads(1)
torch.manual_seed(25)


class Stopwatch:
    def __init__(self):
        self.spent = {}

    @contextmanager
    def section(self, name):
        start = time.perf_counter()
        yield
        self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - start

    def table(self):
        return ", ".join(f"{k} {1000 * v:.0f} ms" for k, v in sorted(self.spent.items()))


def profile_backward(model, batch, watch, repeats=4):
    """The same graph several times, to time the backward alone; the gradients go."""
    loss = sum(task_losses(model, batch).values())
    for k in range(repeats):
        with watch.section("profiled backward"):
            loss.backward(retain_graph=k < repeats - 1)
    model.zero_grad(set_to_none=True)


def main(steps=90):
    model = MultiTaskNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    watch = Stopwatch()
    for step in range(steps):
        batch = tiles(12)
        if step % 30 == 10:
            profile_backward(model, batch, watch)
        with watch.section("forward"):
            losses = task_losses(model, batch)
        with watch.section("gradients"):
            trunk = list(model.trunk.parameters())
            per_task = []
            for loss in losses.values():
                per_task.append(flat_grads(loss, trunk))
            optimizer.zero_grad()
            heads = list(model.heads.parameters())
            head_grads = torch.autograd.grad(sum(losses.values()), heads)
        assign(trunk, project_conflicts(per_task))
        for p, g in zip(heads, head_grads):
            p.grad = g
        optimizer.step()
        if step % 30 == 29:
            print(f"step {step + 1} " + " ".join(f"{k} {v.item():.4f}" for k, v in losses.items()))
    assert "profiled backward" in watch.table()


if __name__ == "__main__":
    main()
