import torch

from augment import sample_shapes


class Hook:
    def before_run(self, runner): ...
    def before_iter(self, runner): ...
    def after_iter(self, runner): ...
    def after_run(self, runner): ...


class HookRunner:
    def __init__(self):
        self._hooks = []
        self.iter = 0

    def register(self, hook):
        self._hooks.append(hook)

    def call(self, name):
        for h in self._hooks:
            getattr(h, name)(self)


class LossLogger(Hook):
    def __init__(self, interval):
        self.interval = interval
        self.losses, self.accs = [], []

    def after_iter(self, runner):
        out = runner.outputs
        self.losses.append(out["loss"].detach())
        self.accs.append((out["logits"].argmax(1) == out["labels"]).float().mean())
        if (runner.iter + 1) % self.interval == 0:
            print("iter %d loss %.3f acc %.3f" % (runner.iter + 1, torch.stack(self.losses).mean(), torch.stack(self.accs).mean()))
            self.losses.clear()
            self.accs.clear()


class KNNEval(Hook):
    def __init__(self, interval):
        self.interval = interval
        self.best = 0.0

    @torch.no_grad()
    def after_iter(self, runner):
        if (runner.iter + 1) % self.interval:
            return
        enc = runner.model.encoder_q
        enc.eval()
        pts, y = sample_shapes(120, 48)
        f = torch.nn.functional.normalize(enc(pts), dim=1)
        sim = f @ f.t()
        sim.fill_diagonal_(-2)
        acc = (y[sim.argmax(1)] == y).float().mean().item()
        self.best = max(self.best, acc)
        enc.train()
        print("knn acc %.3f (best %.3f)" % (acc, self.best))
