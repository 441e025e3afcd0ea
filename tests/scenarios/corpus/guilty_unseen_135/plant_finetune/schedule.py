class Warmup:
    def __init__(self, epochs, lr):
        self.epochs, self.lr = epochs, lr

    def on_epoch_start(self, tuner, epoch):
        for group in tuner.opt.param_groups:
            group["lr"] = self.lr * min(1.0, (epoch + 1) / self.epochs)


class FreezeBackbone:
    def __init__(self, at, keep=("fc",)):
        self.at, self.keep = at, keep

    def on_epoch_start(self, tuner, epoch):
        if epoch != self.at:
            return
        for name, p in tuner.model.named_parameters():
            if name not in self.keep:
                p.requires_grad_(False)  # <- culprit
