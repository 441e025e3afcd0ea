import torch
from torch import nn
from .core import LitModule


class CallClassifier(LitModule):
    def __init__(self, n_bins=24, n_cls=5):
        super().__init__()
        self.conv = nn.Conv1d(n_bins, 12, 3)
        self.head = nn.Linear(12, n_cls)
        self.train_outs = []

    def forward(self, spec):
        return self.head(torch.relu(self.conv(spec)).amax(-1))

    def training_step(self, batch, bi):
        spec, y = batch
        logits = self(spec)
        loss = nn.functional.cross_entropy(logits, y)
        out = {"loss": loss, "logits": logits, "y": y}
        self.train_outs.append(out)  # <- culprit
        return out

    def on_train_epoch_end(self):
        last = self.train_outs[-self.trainer.batches:]
        acc = torch.cat([(o["logits"].argmax(1) == o["y"]).float() for o in last]).mean()
        print(f"epoch {self.trainer.current_epoch} acc {acc:.3f}")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.05, momentum=0.9)
