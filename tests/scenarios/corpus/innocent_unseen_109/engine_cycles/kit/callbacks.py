import copy

import torch


class Callback:
    pass


class GradNorm(Callback):
    """Adapts engine.task_weights by the gradient norms at the last shared layer."""

    def __init__(self, start, alpha, lr=0.02):
        self.start, self.alpha, self.lr = start, alpha, lr
        self.initial = None

    def backward_done(self, s):
        if self.initial is None:
            self.initial = s.losses.detach().clone()
        if s.index < self.start:
            return
        w = s.engine.task_weights.requires_grad_()
        shared = s.engine.model.body[-1].weight
        norms = torch.stack([torch.autograd.grad(w[k] * s.losses[k], shared, create_graph=True)[0].norm()
                             for k in range(len(w))])
        ratio = (s.losses / self.initial).detach()
        aim = (norms.mean() * (ratio / ratio.mean()) ** self.alpha).detach()
        s.balance = (norms - aim).abs().sum()
        g, = torch.autograd.grad(s.balance, w)
        new = w - self.lr * g
        s.engine.task_weights = (new * len(new) / new.sum()).detach()


class SlowTeacher(Callback):
    def __init__(self, m, every):
        self.m, self.every, self.net = m, every, None

    def begin(self, s):
        if self.net is None:
            self.net = copy.deepcopy(s.engine.model).requires_grad_(False)

    def losses_ready(self, s):
        s.slow = self.net(s.batch[0])
        s.extra = s.extra + 0.1 * (s.logits - s.slow[1]).pow(2).mean()

    def end(self, s):
        if s.index % self.every == 0:
            with torch.no_grad():
                for a, b in zip(self.net.parameters(), s.engine.model.parameters()):
                    a.mul_(self.m).add_(b, alpha=1 - self.m)


class WeightProbe(Callback):
    """A hook per iteration, gone when the step is over."""

    def begin(self, s):
        s.energy = []
        handle = s.engine.model.body.register_forward_hook(lambda m, i, o: s.energy.append(o.pow(2).mean()))
        s.defer(lambda step: handle.remove())


class LossBook(Callback):
    def __init__(self):
        self.pages, self.smooth, self.last = [], None, None

    def end(self, s):
        self.last = s.losses
        self.smooth = s.losses if self.smooth is None else torch.lerp(self.smooth, s.losses, 0.1).detach()
        self.pages.append((s.index, s.losses.data, s.energy[0].detach()))
        if s.index % 40 == 0:
            print("{0.me.index:4d} total {0.me.loss:.4f} ".format(s), self.smooth.detach().tolist(), s.engine.task_weights.tolist())

    def overall(self):
        return torch.stack([p[1] for p in self.pages]).mean(0).tolist()
