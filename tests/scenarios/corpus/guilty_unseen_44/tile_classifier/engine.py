import torch
from torch import nn


class Engine:
    def __init__(self, net, lr, callbacks):
        self.net = net
        self.callbacks = callbacks
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.step = 0

    def train_batch(self, x, y):
        self.opt.zero_grad()
        logits = self.net(x)
        loss = self.criterion(logits, y)
        loss.backward()
        self.opt.step()
        acc = (logits.argmax(1) == y).float().mean()
        return {"loss": loss, "acc": acc, "lr": self.opt.param_groups[0]["lr"]}  # <- culprit

    @torch.no_grad()
    def score(self, loader):
        self.net.eval()
        hits = sum((self.net(x).argmax(1) == y).sum().item() for x, y in loader)
        return hits / len(loader.dataset)

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.net.train()
            for x, y in train_loader:
                logs = self.train_batch(x, y)
                for cb in self.callbacks:
                    cb.on_batch_end(self.step, logs)  # <- culprit
                self.step += 1
            scores = {"train_acc": float(logs["acc"]), "val_acc": self.score(val_loader)}
            for cb in self.callbacks:
                cb.on_epoch_end(epoch, self, scores)
