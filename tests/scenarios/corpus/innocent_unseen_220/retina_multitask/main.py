# gradwatch-corpus: kind=none
"""Joint lesion segmentation, grading and age regression on toy fundus images."""
import torch

from data import fundus_batch
from model import RetinaNet
from model import task_losses
from surgery import project_conflicts


def train(steps=80, accumulate=2, seed=19):
    torch.manual_seed(seed)
    model = RetinaNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    shared = list(model.shared.parameters())
    conflicts = 0
    history = []
    optimizer.zero_grad()
    for step in range(steps):
        image, targets = fundus_batch(16)
        losses = task_losses(model(image), targets)
        per_task = []
        for loss in losses.values():
            per_task.append(torch.autograd.grad(loss, shared, retain_graph=True))
        merged, n = project_conflicts(per_task)
        conflicts += n
        total = sum(losses.values()) / accumulate
        heads = list(model.heads.parameters())
        total.backward(inputs=heads)
        for p, g in zip(shared, merged):
            g = g / accumulate
            p.grad = g if p.grad is None else p.grad + g
        if (step + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
        history.append({k: v.item() for k, v in losses.items()})
        if step % 16 == 15:
            text = " ".join(f"{k}={v:.3f}" for k, v in history[-1].items())
            print(f"step {step + 1} {text} conflicts={conflicts}")
    return history


if __name__ == "__main__":
    train()
