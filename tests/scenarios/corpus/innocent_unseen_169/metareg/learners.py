import torch
import torch.nn.functional as F

REGISTRY = {}


def register(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


def build(name, **kw):
    return REGISTRY[name](**kw)


def net(w, x):
    h = torch.tanh(x @ w["w1"] + w["b1"])
    return h @ w["w2"] + w["b2"]


@register("maml")
class Maml:
    create_graph = True

    def __init__(self, inner, init=None, width=24):
        shapes = {"w1": (1, width), "b1": (width,), "w2": (width, 1), "b2": (1,)}
        init = init or {k: 0.5 * torch.randn(s) for k, s in shapes.items()}
        self.w = {k: v.clone().requires_grad_() for k, v in init.items()}
        self.inner = inner
        self.rates = {k: torch.tensor(0.05) for k in self.w}
        self.opt = torch.optim.Adam(self.learned(), lr=3e-3)
        self.trail, self.paths = [], []

    def learned(self):
        return list(self.w.values())

    def adapt(self, support):
        fast = dict(self.w)
        self.paths.append([fast])
        for _ in range(self.inner):
            loss = F.mse_loss(net(fast, support[0]), support[1])
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=self.create_graph,
                                        retain_graph=True)
            fast = {k: v - self.rates[k] * g for (k, v), g in zip(fast.items(), grads)}
            self.paths[-1].append(fast)
        return fast

    def meta_step(self, tasks):
        losses = []
        for support, query in tasks:
            self.adapt(support)
            steps = [F.mse_loss(net(f, query[0]), query[1]) for f in self.paths[-1][1:]]
            losses.append(sum((i + 1) * s for i, s in enumerate(steps)) / len(steps))
        total = torch.stack(losses).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.paths.clear()
        self.trail.append(total.item())

    def export(self):
        return {k: v.detach().clone() for k, v in self.w.items()}


@register("first_order")
class FirstOrder(Maml):
    create_graph = False


@register("learned_lr")
class LearnedRates(Maml):
    def learned(self):
        self.rates = {k: torch.tensor(0.05, requires_grad=True) for k in self.w}
        return super().learned() + list(self.rates.values())
