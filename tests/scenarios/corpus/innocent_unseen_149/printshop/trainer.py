import torch.nn.functional as F


class Trainer:
    def __init__(self, net, opt, callbacks):
        self.net, self.opt, self.callbacks = net, opt, callbacks
        self.scale = 1.0
        self.ready = True

    def fire(self, event, **kw):
        for cb in self.callbacks:
            handler = getattr(cb, event, None)
            if handler:
                handler(self, **kw)

    def fit(self, batches):
        self.opt.zero_grad()
        for n, (x, y) in enumerate(batches):
            self.fire("before", n=n)
            loss = F.mse_loss(self.net(x), y)
            (loss * self.scale).backward()
            if self.ready:
                self.opt.step()
                self.opt.zero_grad()
            self.fire("after", n=n, loss=loss)
