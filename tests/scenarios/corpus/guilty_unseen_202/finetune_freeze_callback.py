# gradwatch-corpus: kind=crashed
# first-bad: 64
import torch
import torch.nn as nn
import torch.nn.functional as F


class TinyResNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.res1 = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.ReLU())
        self.res2 = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(2)
        self.classifier = nn.Linear(32, classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = x + self.res1(x)
        x = x + self.res2(x)
        return self.classifier(self.pool(x).flatten(1))


class Callback:
    def on_epoch_start(self, trainer, epoch):
        pass

    def on_epoch_end(self, trainer, epoch, logs):
        pass


class FreezeBackbone(Callback):
    """Linear probing phase: from `at_epoch` on only the head is trained."""

    def __init__(self, at_epoch, head="fc"):
        self.at_epoch = at_epoch
        self.head = head

    def on_epoch_start(self, trainer, epoch):
        if epoch != self.at_epoch:
            return
        for name, p in trainer.model.named_parameters():
            p.requires_grad_(name.startswith(self.head))  # <- culprit


class Printer(Callback):
    def on_epoch_end(self, trainer, epoch, logs):
        print(f"epoch {epoch}: " + ", ".join(f"{k}={v:.4f}" for k, v in logs.items()))


class Trainer:
    def __init__(self, model, lr, callbacks):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)

    def _call(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def train_step(self, x, y):
        self.opt.zero_grad()
        logits = self.model(x)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        self.opt.step()
        return loss.item(), (logits.argmax(1) == y).float().mean().item()

    def fit(self, x, y, epochs, batch_size):
        for epoch in range(epochs):
            self._call("on_epoch_start", epoch)
            stats = [self.train_step(x[i], y[i]) for i in torch.randperm(len(x)).split(batch_size)]
            loss, acc = (sum(s) / len(stats) for s in zip(*stats))
            self._call("on_epoch_end", epoch, {"loss": loss, "acc": acc})


def main():
    torch.manual_seed(33)
    y = torch.randint(0, 5, (512,))
    proto = torch.randn(5, 3, 12, 12)
    x = proto[y] + torch.randn(512, 3, 12, 12)
    trainer = Trainer(TinyResNet(5), lr=0.02, callbacks=[FreezeBackbone(at_epoch=4), Printer()])
    trainer.fit(x, y, epochs=30, batch_size=32)


if __name__ == "__main__":
    main()
