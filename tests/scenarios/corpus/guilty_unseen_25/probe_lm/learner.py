class Learner:
    def __init__(self, model, loss_func, opt, cbs=()):
        self.model, self.loss_func, self.opt, self.cbs = model, loss_func, opt, list(cbs)
        self.step_no = 0

    def __call__(self, event):
        for cb in self.cbs:
            getattr(cb, event)(self)

    def one_batch(self, xb, yb):
        self.pred = self.model(xb)
        self.loss = self.loss_func(self.pred.flatten(0, 1), yb.flatten())
        self.loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        self.step_no += 1
        self("on_step_end")

    def fit(self, dl):
        self("on_fit_begin")
        for batch in dl:
            self.one_batch(*batch)
        self("on_fit_end")
