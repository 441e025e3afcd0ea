# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import LearningRate, ParityPlot


def solubility(n=1600, seed=4):
    gen = torch.Generator().manual_seed(seed)
    descriptors = torch.randn(n, 14, generator=gen)
    log_s = -0.8 * descriptors[:, 0] + torch.sin(descriptors[:, 1]) * descriptors[:, 2]
    return TensorDataset(descriptors, log_s + 0.1 * torch.randn(n, generator=gen))


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model = model
        self.optimizer = optimizer
        self.callbacks = callbacks
        self.criterion = nn.SmoothL1Loss()

    def fire(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(self, *args)

    def step(self, x, y):
        prediction = self.model(x).squeeze(-1)
        loss = self.criterion(prediction, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.fire("on_step", loss, (prediction, y))

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in loader:
                self.step(x, y)
            self.fire("on_epoch_end", epoch)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(14, 48), nn.SiLU(), nn.BatchNorm1d(48), nn.Linear(48, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    loader = DataLoader(solubility(), batch_size=32, shuffle=True)
    Trainer(model, optimizer, [ParityPlot(), LearningRate(0.9)]).fit(loader, epochs=9)


if __name__ == "__main__":
    main()
