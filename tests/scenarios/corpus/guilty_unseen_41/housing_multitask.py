# gradwatch-corpus: kind=second-backward
# holder: losses | loss | shared
# first-bad: 0
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)

TASKS = {"price": 1.0, "days_on_market": 0.3, "sold": 0.5}


def synthetic_listings(n=960, d=14):
    x = torch.randn(n, d)
    w = torch.randn(d, 3) / d ** 0.5
    signal = torch.tanh(x @ w)
    price = signal[:, 0] + 0.1 * torch.randn(n)
    days = (signal[:, 1] - 0.5 * signal[:, 0]).exp()
    sold = (signal[:, 2] + 0.3 * torch.randn(n) > 0).float()
    return TensorDataset(x, price, days, sold)


class ListingNet(nn.Module):
    def __init__(self, d, width=48):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(d, width), nn.ReLU(), nn.LayerNorm(width),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.heads = nn.ModuleDict({name: nn.Linear(width, 1) for name in TASKS})

    def forward(self, x):
        shared = self.trunk(x)
        return {name: head(shared).squeeze(-1) for name, head in self.heads.items()}


CRITERIA = {
    "price": nn.SmoothL1Loss(),
    "days_on_market": nn.MSELoss(),
    "sold": nn.BCEWithLogitsLoss(),
}


class MultiTaskTrainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.meters = {name: 0.0 for name in TASKS}

    def compute_losses(self, x, targets):
        preds = self.model(x)
        return {name: TASKS[name] * CRITERIA[name](preds[name], targets[name]) for name in TASKS}

    def backprop(self, losses):
        for name, loss in losses.items():  # <- culprit
            loss.backward()  # <- culprit
            self.meters[name] = 0.9 * self.meters[name] + 0.1 * loss.item()

    def train_step(self, x, targets):
        self.optim.zero_grad(set_to_none=True)
        losses = self.compute_losses(x, targets)
        self.backprop(losses)  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optim.step()

    def report(self, epoch):
        parts = "  ".join(f"{k}={v:.4f}" for k, v in self.meters.items())
        print(f"epoch {epoch:2d}  {parts}")


def main():
    data = synthetic_listings()
    loader = DataLoader(data, batch_size=64, shuffle=True)
    trainer = MultiTaskTrainer(ListingNet(14))
    for epoch in range(8):
        for x, price, days, sold in loader:
            trainer.train_step(x, {"price": price, "days_on_market": days, "sold": sold})
        trainer.report(epoch)


main()
