# gradwatch-corpus: kind=graph-held
# holder: self.val_outputs | trainer.val_outputs | self.val_outputs["pred"]
# first-bad: 11
# notice: 40
# about: validation without no_grad collects predictions that nobody ever clears
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, n_in=20, n_out=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.head = nn.Linear(64, n_out)

    def forward(self, x):
        return self.head(self.body(x))


class Trainer:
    def __init__(self, model, val_every=10):
        self.model = model
        self.val_every = val_every
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.criterion = nn.CrossEntropyLoss()
        self.val_outputs = []

    def batches(self, n):
        for _ in range(n):
            x = torch.randn(32, 20)
            yield x, x[:, :3].argmax(1)

    def validate(self):
        self.model.eval()
        for x, y in self.batches(4):
            pred = self.model(x)
            self.val_outputs.append((pred, y))  # <- culprit
        self.model.train()
        hits = [(p.argmax(1) == y).float().mean().item() for p, y in self.val_outputs[-4:]]
        print("val acc", sum(hits) / len(hits))

    def fit(self, steps):
        for step, (x, y) in enumerate(self.batches(steps)):
            if step and step % self.val_every == 0:
                self.validate()
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(Classifier())
    trainer.fit(60)
