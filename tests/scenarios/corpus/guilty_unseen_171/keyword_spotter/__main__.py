# gradwatch-corpus: kind=graph-held
# holder: self.trace | self.trace[name] | monitor.trace
# first-bad: 1
"""Trains the keyword spotter and reports dead channels (python -m keyword_spotter)."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from .audio import WORDS, corpus
from .monitor import ActivationMonitor
from .net import Spotter


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main(epochs=42, batch=32, lr=2e-3, seed=6):
    torch.manual_seed(seed)
    x, y = corpus(seed=seed)
    vx, vy = corpus(96, seed=seed + 1)
    loader = DataLoader(TensorDataset(x, y), batch_size=batch, shuffle=True)
    model = Spotter(x.size(1), len(WORDS))
    monitor = ActivationMonitor(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    for epoch in range(epochs):
        for bx, by in loader:
            loss = F.cross_entropy(model(bx), by)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 7 == 0:
            print(f"epoch {epoch}: val acc {evaluate(model, vx, vy):.3f}  {monitor.summary()}")
    monitor.close()


if __name__ == "__main__":
    main()
