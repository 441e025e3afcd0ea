class Hook:
    def before_run(self, runner):
        pass

    def after_iter(self, runner):
        pass

    def after_run(self, runner):
        pass


class LRDecay(Hook):
    def __init__(self, every, gamma):
        self.every, self.gamma = every, gamma

    def after_iter(self, runner):
        if (runner.iter + 1) % self.every == 0:
            for group in runner.optimizer.param_groups:
                group["lr"] *= self.gamma


class StdoutReport(Hook):
    def __init__(self, every):
        self.every = every

    def after_iter(self, runner):
        if runner.iter % self.every == 0:
            print(f"iter {runner.iter:4d}  l1 {runner.scalars['l1']:.4f}  dc {runner.scalars['dc']:.4f}")


class Runner:
    def __init__(self, model, optimizer, hooks):
        self.model = model
        self.optimizer = optimizer
        self.hooks = hooks
        self.iter = 0
        self.scalars = {}

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def run(self, factory, iters):
        self.model.train()
        self.call("before_run")
        for self.iter in range(iters):
            sample = factory.draw()
            self.train_iter(sample)
            self.call("after_iter")
        self.call("after_run")

    def train_iter(self, sample):
        losses = self.model.losses(sample)
        total = sum(losses.values())
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()
        self.scalars = {name: value.item() for name, value in losses.items()}
