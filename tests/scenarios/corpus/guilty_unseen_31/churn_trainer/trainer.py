import torch


class Trainer:
    def __init__(self, net, opt, criterion, callbacks=()):
        self.net, self.opt, self.criterion = net, opt, criterion
        self.callbacks = list(callbacks)
        self.should_stop = False
        self.global_step = 0

    def emit(self, event, **info):
        for cb in self.callbacks:
            getattr(cb, event)(self, **info)

    def training_step(self, batch):
        x, y = batch
        out = self.net(x)
        loss = self.criterion(out, y)
        acc = ((out > 0).float() == y).float().mean()
        return {"loss": loss, "acc": acc, "n": len(y)}

    def fit(self, train, valid, epochs):
        for epoch in range(epochs):
            self.net.train()
            for batch in train:
                info = self.training_step(batch)
                self.opt.zero_grad()
                info["loss"].backward()
                self.opt.step()
                self.global_step += 1
                self.emit("on_step", **info)  # <- culprit
            self.emit("on_epoch", epoch=epoch, valid_loss=self.evaluate(valid))
            if self.should_stop:
                break

    @torch.no_grad()
    def evaluate(self, loader):
        self.net.eval()
        losses = [self.criterion(self.net(x), y).item() for x, y in loader]
        return sum(losses) / len(losses)
