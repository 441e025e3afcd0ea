import torch


class Callback:
    order = 0
    name = None

    def __getattr__(self, k):
        if k == "learn":
            raise AttributeError(k)
        return getattr(self.learn, k)


class CancelBatch(Exception):
    pass


class Learner:
    def __init__(self, dls, model, loss_func, metrics=(), cbs=(), opt_func=torch.optim.Adam):
        self.dls, self.model, self.loss_func, self.opt_func = dls, model, loss_func, opt_func
        self.metrics = list(metrics)
        self.cbs = sorted(cbs, key=lambda c: c.order)
        for cb in self.cbs:
            cb.learn = self
            if cb.name:
                setattr(self, cb.name, cb)

    def __call__(self, event):
        for cb in self.cbs:
            f = type(cb).__dict__.get(event)
            if f is not None:
                f(cb)

    def one_batch(self, b):
        *self.xb, self.yb = b
        self("before_batch")
        self.pred = self.model(*self.xb)
        self.loss = self.loss_func(self.pred, self.yb)
        if self.training:
            self.opt.zero_grad()
            self.loss.backward()
            self("after_backward")
            self.opt.step()
        self("after_batch")

    def all_batches(self, dl):
        self.n_iter = len(dl)
        for self.iter, b in enumerate(dl):
            try:
                self.one_batch(b)
            except CancelBatch:
                pass
        self.xb = self.yb = self.pred = self.loss = None

    def fit(self, n_epoch, lr):
        self.n_epoch = n_epoch
        self.opt = self.opt_func(self.model.parameters(), lr=lr)
        self("before_fit")
        for self.epoch in range(n_epoch):
            self.training = True
            self.model.train()
            self("before_epoch")
            self.all_batches(self.dls[0])
            self.training = False
            self.model.eval()
            self("before_validate")
            with torch.no_grad():
                self.all_batches(self.dls[1])
            self("after_epoch")
        self("after_fit")
