# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
"""Fine-tune a leaf classifier: full training at first, then a frozen backbone."""
import torch

torch.set_num_threads(1)

import torch.nn.functional as F

from leafnet import LeafNet, leaf_batches
from schedule import FreezeBackbone, Warmup


class Finetuner:
    def __init__(self, model, callbacks, epochs=10):
        self.model, self.callbacks, self.epochs = model, callbacks, epochs
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    def fit(self):
        for epoch in range(self.epochs):
            for cb in self.callbacks:
                cb.on_epoch_start(self, epoch)
            seen = correct = 0
            for x, y in leaf_batches(20):
                logits = self.model(x)
                loss = F.cross_entropy(logits, y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                seen += len(y)
                correct += int((logits.argmax(1) == y).sum())
            print(f"epoch {epoch} acc {correct / seen:.3f}")


if __name__ == "__main__":
    torch.manual_seed(61)
    Finetuner(LeafNet(), [Warmup(2, 0.05), FreezeBackbone(at=3)]).fit()
