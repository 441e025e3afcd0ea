# gradwatch-corpus: kind=none
# about: sixteen micro-batches to a step in a trainer class; an epoch's last, shorter group steps
# about: too
import torch
import torch.nn as nn
from parts.blobs import classes
from parts.meters import MetricLogger
from parts.pace import ITERATIONS


class Trainer:
    def __init__(self, model, lr=1e-3, accumulate=16, clip=1.0):
        self.model = model
        self.accumulate = accumulate
        self.clip = clip
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.log = MetricLogger()
        self.global_step = 0

    def training_step(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.model(x), y)

    def optimizer_step(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.global_step += 1
        self.log.update(norm=float(norm))

    def fit(self, batches, steps):
        pending = 0
        while self.global_step < steps:
            for batch in batches:
                loss = self.training_step(batch)
                (loss / self.accumulate).backward()
                self.log.update(loss=loss.item())
                pending += 1
                if pending == self.accumulate:
                    self.optimizer_step()
                    pending = 0
            if pending:
                self.optimizer_step()
                pending = 0
            if self.global_step % 30 < 6:
                print(f"step {self.global_step}: {self.log}")


def main():
    torch.manual_seed(0)
    x, y = classes(600)
    batches = list(zip(x.split(8), y.split(8)))
    model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4))
    Trainer(model).fit(batches, ITERATIONS // 3)


if __name__ == "__main__":
    main()
