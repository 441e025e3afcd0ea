# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | cb.snapshots
# first-bad: 1
# notice: 100
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


class Callback:
    def on_batch_end(self, trainer, loss):
        pass

    def on_fit_end(self, trainer):
        pass


class ProgressBar(Callback):
    def __init__(self, every):
        self.every = every

    def on_batch_end(self, trainer, loss):
        if trainer.step % self.every == 0:
            print(f"step {trainer.step} loss {loss:.4f}")


class WeightAverager(Callback):
    """Averages the weights of the second half of the run."""

    def __init__(self):
        self.snapshots = []

    def on_batch_end(self, trainer, loss):
        self.snapshots.append((trainer.step, copy.deepcopy(trainer.model.state_dict())))  # <- culprit

    def on_fit_end(self, trainer):
        tail = [sd for s, sd in self.snapshots if s >= trainer.step // 2]
        mean = {k: torch.stack([sd[k].float() for sd in tail]).mean(0) for k in tail[0]}
        trainer.model.load_state_dict(mean)
        print(f"averaged {len(tail)} of {len(self.snapshots)} snapshots")


class Trainer:
    def __init__(self, model, lr, callbacks):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.loss_fn = nn.CrossEntropyLoss()
        self.callbacks = callbacks
        self.step = 0

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.opt.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.opt.step()
                for cb in self.callbacks:
                    cb.on_batch_end(self, loss.item())
                self.step += 1
        for cb in self.callbacks:
            cb.on_fit_end(self)


@torch.no_grad()
def accuracy(model, x, y):
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(6)
    centers = torch.randn(8, 64)
    y = torch.randint(0, 8, (1024,))
    x = centers[y] + 1.2 * torch.randn(1024, 64)
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 8))
    trainer = Trainer(model, 0.02, [ProgressBar(40), WeightAverager()])
    trainer.fit(DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True), epochs=6)
    print("accuracy of the average", round(accuracy(model, x, y), 4))


if __name__ == "__main__":
    main()
