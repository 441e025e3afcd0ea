import torch


class DataBunch:
    def __init__(self, xt, yt, xv, yv, bs):
        self.train = list(zip(xt.split(bs), yt.split(bs)))
        self.valid = list(zip(xv.split(bs), yv.split(bs)))


class Learner:
    def __init__(self, model, data, loss_func, lr, cbs=()):
        self.model, self.data, self.loss_func = model, data, loss_func
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.cbs = list(cbs)
        for cb in self.cbs:
            cb.learn = self

    def __call__(self, name):
        for cb in self.cbs:
            f = getattr(cb, name, None)
            if f is not None:
                f()

    def one_batch(self, xb, yb):
        self.xb, self.yb = xb, yb
        self.pred = self.model(xb)
        self('after_pred')
        self.loss = self.loss_func(self.pred, yb)
        if self.model.training:
            self.loss.backward()
            self.opt.step()
            self.opt.zero_grad()
        self('after_batch')

    def fit(self, epochs):
        self('begin_fit')
        for self.epoch in range(epochs):
            self('begin_epoch')
            self.model.train()
            for b in self.data.train:
                self.one_batch(*b)
            self.model.eval()
            with torch.no_grad():
                for b in self.data.valid:
                    self.one_batch(*b)
            self('after_epoch')
