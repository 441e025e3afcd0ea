# gradwatch-corpus: kind=graph-held
# holder: self.history["loss"] | finder.history["loss"] | avg_loss | self.best_loss | finder.best_loss
# first-bad: 1
import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class LRFinder:
    def __init__(self, model, optimizer, criterion):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.history = {"lr": [], "loss": []}
        self.best_loss = None
        self._backup = copy.deepcopy(model.state_dict())

    def _set_lr(self, lr):
        for group in self.optimizer.param_groups:
            group["lr"] = lr

    def range_test(self, loader, start_lr=1e-6, end_lr=1.0, num_iter=100, beta=0.95, diverge_th=5):
        mult = (end_lr / start_lr) ** (1 / (num_iter - 1))
        lr = start_lr
        avg_loss = 0
        batches = iter(loader)
        self.model.train()
        for i in range(num_iter):
            try:
                inputs, labels = next(batches)
            except StopIteration:
                batches = iter(loader)
                inputs, labels = next(batches)

            self._set_lr(lr)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(inputs), labels)
            loss.backward()
            self.optimizer.step()

            avg_loss = beta * avg_loss + (1 - beta) * loss  # <- culprit
            smoothed = avg_loss / (1 - beta ** (i + 1))
            self.history["lr"].append(lr)
            self.history["loss"].append(smoothed)  # <- culprit
            if self.best_loss is None or smoothed < self.best_loss:
                self.best_loss = smoothed
            if smoothed > diverge_th * self.best_loss:
                print("Stopping early, the loss has diverged")
                break
            if i % 20 == 0:
                print(f"lr {lr:.2e}  loss {smoothed:.4f}")
            lr *= mult

    def suggestion(self):
        losses = [l.item() for l in self.history["loss"]]
        slopes = [b - a for a, b in zip(losses[10:-5], losses[11:-4])]
        return self.history["lr"][10 + slopes.index(min(slopes))]

    def reset(self):
        self.model.load_state_dict(self._backup)


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16 * 9, 4),
    )


def fake_digits(n=640):
    labels = torch.randint(0, 4, (n,))
    imgs = torch.randn(n, 1, 12, 12) * 0.7
    for i, c in enumerate(labels.tolist()):
        r, k = divmod(c, 2)
        imgs[i, 0, r * 6:r * 6 + 6, k * 6:k * 6 + 6] += 1.0
    return TensorDataset(imgs, labels)


def main():
    torch.manual_seed(42)
    loader = DataLoader(fake_digits(), batch_size=32, shuffle=True)
    model = build_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6, momentum=0.9)
    finder = LRFinder(model, optimizer, nn.CrossEntropyLoss())
    finder.range_test(loader)
    print("tested", len(finder.history["lr"]), "learning rates")
    print("suggested lr: %.2e" % finder.suggestion())
    finder.reset()


if __name__ == "__main__":
    main()
