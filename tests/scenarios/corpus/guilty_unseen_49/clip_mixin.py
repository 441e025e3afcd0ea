# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    """Base class of the forecasting team's trainers."""

    def __init__(self, model, **hp):
        self.model = model
        self.hp = {"lr": 0.02, "epochs": 6, **hp}
        self.optimizer = self.configure_optimizer()
        self.log = []

    def configure_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.hp["lr"])

    def compute_loss(self, batch):
        raise NotImplementedError

    def backward(self, loss):
        loss.backward()

    def apply_gradients(self):
        self.optimizer.step()
        self.optimizer.zero_grad()

    def train_batch(self, batch):
        loss = self.compute_loss(batch)
        self.backward(loss)
        self.apply_gradients()
        return loss.item()

    def fit(self, loader):
        for epoch in range(self.hp["epochs"]):
            losses = [self.train_batch(b) for b in loader]
            self.log.append(sum(losses) / len(losses))
            self.on_epoch_end(epoch)
        return self

    def on_epoch_end(self, epoch):
        pass


class VerboseMixin:
    def on_epoch_end(self, epoch):
        print(f"[{self.__class__.__name__}] epoch {epoch} loss {self.log[-1]:.4f}")
        super().on_epoch_end(epoch)


class GradClipMixin:
    max_norm = 0.5
    clipped = 0

    def apply_gradients(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        if norm > self.max_norm:
            self.clipped += 1
        self.optimizer.step()  # <- culprit


class ForecastTrainer(GradClipMixin, VerboseMixin, Trainer):
    def compute_loss(self, batch):
        past, future = batch
        return nn.functional.huber_loss(self.model(past), future)


def windows(n=480, past=16, ahead=4):
    t = torch.arange(n + past + ahead).float()
    series = torch.sin(t / 6) + 0.4 * torch.sin(t / 2.3) + 0.1 * torch.randn(len(t))
    frames = series.unfold(0, past + ahead, 1)[:n]
    return TensorDataset(frames[:, :past], frames[:, past:])


if __name__ == "__main__":
    torch.manual_seed(10)
    net = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 4))
    loader = DataLoader(windows(), batch_size=32, shuffle=True, drop_last=True)
    trainer = ForecastTrainer(net, lr=0.05).fit(loader)
    print("clipped", trainer.clipped, "of", len(loader) * trainer.hp["epochs"])
