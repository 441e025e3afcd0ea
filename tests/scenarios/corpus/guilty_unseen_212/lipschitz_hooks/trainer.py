class Trainer:
    def __init__(self, model, opt, hooks):
        self.model, self.opt, self.hooks = model, opt, hooks
        self.base_lr = opt.param_groups[0]["lr"]
        self.it = 0

    def call(self, point):
        for h in self.hooks:
            getattr(h, point)(self)

    def train_iter(self, batch):
        x, y = batch
        self.call("before_step")
        self.opt.zero_grad()
        loss = self.model.loss(x, y)
        self.call("after_forward")  # <- culprit
        loss.backward()
        self.opt.step()
        self.call("after_step")
        return loss.item()

    def run(self, stream, iters):
        for self.it in range(iters):
            v = self.train_iter(next(stream))
            if self.it % 20 == 0:
                print(f"iter {self.it} loss {v:.4f}")
