# gradwatch-corpus: kind=graph-chain
# holder: self.w | learner.w
"""Online learning of per-layer step sizes by hypergradients (after Baydin et al. / Meta-SGD)."""
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(12)


def forward(w, x):
    h = torch.tanh(x @ w["W1"] + w["b1"])
    return h @ w["W2"] + w["b2"]


def sample(n):
    x = torch.rand(n, 1) * 6 - 3
    return x, torch.sin(1.5 * x) + 0.05 * torch.randn_like(x)


class Learner:
    def __init__(self, width=16):
        init = {
            "W1": torch.randn(1, width),
            "b1": torch.zeros(width),
            "W2": torch.randn(width, 1) / width ** 0.5,
            "b2": torch.zeros(1),
        }
        self.w = {k: v.requires_grad_() for k, v in init.items()}
        self.log_lr = {k: torch.tensor(-3.0, requires_grad=True) for k in init}

    def inner(self, x, y):
        loss = F.mse_loss(forward(self.w, x), y)
        names = list(self.w)
        grads = torch.autograd.grad(loss, [self.w[k] for k in names])
        return dict(zip(names, grads)), loss.item()

    def update(self, grads):
        new = {}
        for k, g in grads.items():
            new[k] = self.w[k] - self.log_lr[k].exp() * g  # <- culprit
        self.w = new  # <- culprit


def train(steps=90):
    learner = Learner()
    meta = torch.optim.Adam(learner.log_lr.values(), lr=0.02)
    trace = []
    for it in range(steps):
        grads, inner_loss = learner.inner(*sample(32))
        learner.update(grads)
        xv, yv = sample(32)
        val = F.mse_loss(forward(learner.w, xv), yv)
        meta.zero_grad()
        val.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(learner.log_lr.values(), 1.0)
        meta.step()
        trace.append((inner_loss, val.item()))
        if it % 30 == 0:
            rates = {k: round(v.exp().item(), 4) for k, v in learner.log_lr.items()}
            print(it, "train %.3f val %.3f" % trace[-1], rates)
    return trace


trace = train()
print("last val %.4f" % trace[-1][1])
