# gradwatch-corpus: kind=graph-held
# holder: self.history["train_loss"] | trainer.history["train_loss"] | self.history
# holder: trainer.history
# about: a Trainer appends the loss itself to its history
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, optimizer, criterion, scheduler=None):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.scheduler = scheduler
        self.history = defaultdict(list)

    def train_step(self, batch):
        x, y = batch
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.criterion(self.model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                loss = self.train_step(batch)
                self.history["train_loss"].append(loss)  # <- culprit
                self.history["lr"].append(self.optimizer.param_groups[0]["lr"])
                if self.scheduler is not None:
                    self.scheduler.step()
            last = self.history["train_loss"][-1]
            print(f"epoch {epoch} train_loss {last:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(160, 12), torch.randn(160, 1))
    model = nn.Sequential(
        nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 1)
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=60)
    trainer = Trainer(model, optimizer, nn.MSELoss(), schedule)
    trainer.fit(DataLoader(data, batch_size=8, shuffle=True), epochs=3)
