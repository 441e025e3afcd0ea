# gradwatch-corpus: kind=none
# about: PGD inside training: seven gradients to the input before each step, the perturbation
# about: carried from one to the next, detached each time, and from batch to batch
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class PGD:
    def __init__(self, model, eps=0.3, alpha=0.1, steps=7):
        self.model, self.eps, self.alpha, self.steps = model, eps, alpha, steps
        self.delta = None

    def attack(self, x, y):
        delta = torch.zeros_like(x) if self.delta is None else self.delta
        for _ in range(self.steps):
            delta.requires_grad_()
            loss = F.cross_entropy(self.model(x + delta), y)
            (grad,) = torch.autograd.grad(loss, delta)
            delta = (delta.detach() + self.alpha * grad.sign()).clamp(-self.eps, self.eps)
        self.delta = delta
        return x + delta


def main():
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    pgd = PGD(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    for step in range(ITERATIONS // 2):
        x, y = next(stream)
        hard = pgd.attack(x, y)
        clean_logits, hard_logits = model(x), model(hard)
        trades = F.kl_div(
            F.log_softmax(hard_logits, 1), F.softmax(clean_logits, 1), reduction="batchmean"
        )
        loss = F.cross_entropy(clean_logits, y) + 3 * trades
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            print(f"{step}: {loss.item():.6f} (adversarial {trades.item():.6f})")


if __name__ == "__main__":
    main()
