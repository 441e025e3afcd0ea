# gradwatch-corpus: kind=graph-held
# holder: self.peaks[name] | self.peaks | observer.peaks
# first-bad: 1
import torch
import torch.nn.functional as F

from callbacks import RangeObserver, Rows
from quant import QNet


def shapes(n, g):
    y = torch.randint(0, 4, (n,), generator=g)
    img = 0.3 * torch.randn(n, 1, 16, 16, generator=g)
    for i, c in enumerate(y.tolist()):
        if c == 0:
            img[i, 0, 4:12, 7:9] += 1
        elif c == 1:
            img[i, 0, 7:9, 4:12] += 1
        elif c == 2:
            img[i, 0, 5:11, 5:11] += 1
        else:
            img[i, 0].diagonal().add_(1)
    return img, y


class Trainer:
    def __init__(self, model, callbacks, lr=5e-3, max_steps=120):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, lr, total_steps=max_steps)
        self.max_steps = max_steps

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(*args)

    def fit(self, sampler):
        self.emit("on_train_start", self.model)
        for step in range(self.max_steps):
            x, y = sampler()
            logits = self.model(x)
            loss = F.cross_entropy(logits, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            acc = (logits.argmax(-1) == y).float().mean().item()
            self.emit("on_step_end", step, {"loss": round(loss.item(), 4), "acc": round(acc, 3)})
        self.emit("on_train_end", self.model)


def main():
    torch.manual_seed(17)
    g = torch.Generator().manual_seed(18)
    observer, rows = RangeObserver(), Rows()
    Trainer(QNet(), [observer, rows]).fit(lambda: shapes(32, g))
    print("last acc", rows.rows[-1]["acc"])


if __name__ == "__main__":
    main()
