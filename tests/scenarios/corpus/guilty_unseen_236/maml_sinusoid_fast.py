# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
"""Online MAML on a drifting sinusoid: learned per-parameter step sizes, functional MLP."""
import math

import torch
import torch.nn.functional as F

cfg = dict(
    hidden=32,
    inner_lr=0.02,
    tasks=80,
    shots=10,
    log_every=16,
    seed=11,
)


class TaskFamily:
    def __init__(self):
        self.amp = 1.0
        self.phase = 0.0

    def drift(self):
        self.amp = min(5.0, max(0.1, self.amp + 0.2 * torch.randn(()).item()))
        self.phase = (self.phase + 0.05) % math.pi

    def draw(self, n):
        x = torch.rand(n, 1) * 10.0 - 5.0
        y = self.amp * torch.sin(x + self.phase)
        return x, y


def init_theta(hidden):
    def dense(i, o):
        w = torch.randn(i, o) / math.sqrt(i)
        return w.requires_grad_()

    theta = {}
    theta["w1"] = dense(1, hidden)
    theta["b1"] = torch.zeros(hidden, requires_grad=True)
    theta["w2"] = dense(hidden, hidden)
    theta["b2"] = torch.zeros(hidden, requires_grad=True)
    theta["w3"] = dense(hidden, 1)
    theta["b3"] = torch.zeros(1, requires_grad=True)
    return theta


def mlp(params, x):
    h = torch.tanh(torch.einsum("ni,ij->nj", x, params["w1"]) + params["b1"])
    h = torch.tanh(torch.einsum("ni,ij->nj", h, params["w2"]) + params["b2"])
    return torch.einsum("ni,ij->nj", h, params["w3"]) + params["b3"]


class OnlineLearner:
    def __init__(self, cfg):
        self.theta = init_theta(cfg["hidden"])
        self.log_alpha = {k: torch.full((), math.log(cfg["inner_lr"]), requires_grad=True) for k in self.theta}
        self.fast = dict(self.theta)

    def adapt(self, x, y):
        names = list(self.fast)
        loss = F.mse_loss(mlp(self.fast, x), y)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names], create_graph=True)
        updated = {}
        for n, g in zip(names, grads):
            updated[n] = self.fast[n] - self.log_alpha[n].exp() * g.clamp(-1.0, 1.0)  # <- culprit
        self.fast = updated  # <- culprit
        return loss

    def hypergrad(self, x, y):
        query = F.mse_loss(mlp(self.fast, x), y)
        keys = list(self.log_alpha)
        grads = torch.autograd.grad(query, [self.log_alpha[k] for k in keys], retain_graph=True)
        return query, dict(zip(keys, grads))


def run(cfg):
    torch.manual_seed(cfg["seed"])
    family = TaskFamily()
    learner = OnlineLearner(cfg)
    log = {"support": [], "query": []}
    for t in range(cfg["tasks"]):
        family.drift()
        xs, ys = family.draw(cfg["shots"])
        xq, yq = family.draw(cfg["shots"])
        support = learner.adapt(xs, ys)
        query, hyper = learner.hypergrad(xq, yq)
        for k, g in hyper.items():
            learner.log_alpha[k].data.sub_(0.01 * g.sign())
        log["support"].append(support.item())
        log["query"].append(query.item())
        if (t + 1) % cfg["log_every"] == 0:
            recent = {k: sum(v[-cfg["log_every"]:]) / cfg["log_every"] for k, v in log.items()}
            print(f"task {t + 1:3d} support {recent['support']:.3f} query {recent['query']:.3f}")


if __name__ == "__main__":
    run(cfg)
