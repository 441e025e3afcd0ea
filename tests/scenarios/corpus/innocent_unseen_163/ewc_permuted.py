# gradwatch-corpus: kind=none
"""Elastic weight consolidation over three permuted tasks."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(40)

DIM, CLASSES = 24, 4


class Task:
    def __init__(self, centers, perm):
        self.centers, self.perm = centers, perm

    def batch(self, n=32):
        y = torch.randint(0, CLASSES, (n,))
        x = self.centers[y] + 0.8 * torch.randn(n, DIM)
        return x[:, self.perm], y


class EWC:
    def __init__(self, model, strength):
        self.model = model
        self.strength = strength
        self.anchors = []

    def consolidate(self, task, n=20):
        fisher = {k: torch.zeros_like(p) for k, p in self.model.named_parameters()}
        for _ in range(n):
            x, y = task.batch(8)
            self.model.zero_grad()
            F.nll_loss(self.model(x).log_softmax(1), y).backward()
            for k, p in self.model.named_parameters():
                fisher[k] += p.grad.detach() ** 2 / n
        self.model.zero_grad()
        means = {k: p.detach().clone() for k, p in self.model.named_parameters()}
        self.anchors.append((fisher, means))

    def penalty(self):
        total = torch.zeros(())
        for fisher, means in self.anchors:
            for k, p in self.model.named_parameters():
                total = total + (fisher[k] * (p - means[k]) ** 2).sum()
        return 0.5 * self.strength * total


@torch.no_grad()
def accuracy(model, task):
    x, y = task.batch(400)
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    centers = 1.2 * torch.randn(CLASSES, DIM)
    tasks = [Task(centers, torch.randperm(DIM)) for _ in range(3)]
    model = nn.Sequential(nn.Linear(DIM, 48), nn.ReLU(), nn.Linear(48, CLASSES))
    ewc = EWC(model, strength=200.0)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for t, task in enumerate(tasks):
        for step in range(60):
            x, y = task.batch()
            ce = F.cross_entropy(model(x), y)
            reg = ewc.penalty()
            loss = ce + reg
            opt.zero_grad()
            loss.backward()
            opt.step()
        ewc.consolidate(task)
        scores = [round(accuracy(model, s), 3) for s in tasks[:t + 1]]
        print(f"after task {t}: ce {ce.item():.3f} reg {reg.item():.4f} accuracy {scores}")


if __name__ == "__main__":
    main()
