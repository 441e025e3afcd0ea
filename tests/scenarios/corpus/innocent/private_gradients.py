# gradwatch-corpus: kind=none
# about: differential privacy by hand: one forward, then a backward(retain_graph=True) for each
# about: of the batch's forty-eight samples, clipped one by one; the graph dies with the batch
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class PrivateSGD:
    def __init__(self, params, lr=0.1, clip=1.0, noise=0.3):
        self.params = list(params)
        self.optimizer = torch.optim.SGD(self.params, lr=lr)
        self.clip, self.noise = clip, noise

    def step(self, losses):
        sums = [torch.zeros_like(p) for p in self.params]
        for loss in losses:
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)
            norm = torch.stack([p.grad.norm() for p in self.params]).norm()
            scale = min(1.0, self.clip / (norm.item() + 1e-6))
            for s, p in zip(sums, self.params):
                s.add_(p.grad, alpha=scale)
        for s, p in zip(sums, self.params):
            s.add_(torch.randn_like(s), alpha=self.noise * self.clip)
            p.grad = s / len(losses)
        self.optimizer.step()


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 4))
    private = PrivateSGD(model.parameters())
    criterion = nn.CrossEntropyLoss(reduction="none")
    stream = batches(*classes(), size=48)
    for step in range(ITERATIONS // 5):
        x, y = next(stream)
        losses = criterion(model(x), y)
        private.step(losses)
        if step % 10 == 0:
            print(f"step {step}: {losses.mean().item():.6f}")


if __name__ == "__main__":
    main()
