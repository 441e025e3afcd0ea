# gradwatch-corpus: kind=none
"""Gradient surgery (PCGrad) for three pose-estimation sub-tasks on a shared trunk.
The projection sits in surgery.py, the tasks in tasks.py."""
import torch

from surgery import ProjectedGradients
from tasks import PoseTasks, TaskNet


def warm_start(net, tasks, optimizer, steps):
    """Plain summed training first; losses are walked one by one to keep the peak memory low."""
    for _ in range(steps):
        losses = tasks.losses(net, *tasks.batch(32))
        for i, loss in enumerate(losses.values()):
            loss.backward(retain_graph=i + 1 < len(losses))
        optimizer.step()
        for p in net.parameters():
            p.grad = None


def main():
    torch.manual_seed(21)
    tasks, net = PoseTasks(seed=22), TaskNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    warm_start(net, tasks, optimizer, steps=60)
    surgery = ProjectedGradients(net.trunk, optimizer, seed=23)
    for step in range(1, 201):
        losses = tasks.losses(net, *tasks.batch(32))
        surgery.step(losses, {name: head for name, head in net.heads.items()})
        if step % 50 == 0:
            text = "  ".join(f"{k} {v.item():.3f}" for k, v in losses.items())
            print(f"{step:4d}  {text}  conflicts {surgery.conflict_rate():.2f}")


if __name__ == "__main__":
    main()
