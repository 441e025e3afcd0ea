# gradwatch-corpus: kind=none
# My own SAM optimizer (sharpness aware minimisation) compared with plain SGD
# on two moons with noisy labels. Also has a snapshot ensemble.
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cpu"
N_TRAIN, N_TEST = 400, 300
BS = 50
EPOCHS = 12


class SAM(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.9, rho=0.05):
        super().__init__(params, dict(lr=lr, momentum=momentum, rho=rho))

    @torch.no_grad()
    def step(self, closure):
        with torch.enable_grad():
            first = closure()
        grads = [p.grad for g in self.param_groups for p in g["params"]]
        norm = torch.norm(torch.stack([g.norm() for g in grads])) + 1e-12
        for group in self.param_groups:
            for p in group["params"]:
                e = p.grad * (group["rho"] / norm)
                p.add_(e)
                self.state[p]["e"] = e
        with torch.enable_grad():
            closure()
        for group in self.param_groups:
            for p in group["params"]:
                st = self.state[p]
                p.sub_(st["e"])
                buf = st.get("buf")
                if buf is None:
                    buf = st["buf"] = torch.clone(p.grad)
                else:
                    buf.mul_(group["momentum"]).add_(p.grad)
                p.add_(buf, alpha=-group["lr"])
        return first


def moons(n, noise=0.18, flip=0.0):
    t = math.pi * torch.rand(n)
    y = (torch.rand(n) < 0.5).long()
    x = torch.stack([torch.cos(t), torch.sin(t)], 1)
    x[y == 1] = torch.tensor([1.0, 0.5]) - x[y == 1]
    x += noise * torch.randn(n, 2)
    wrong = torch.rand(n) < flip
    y[wrong] = 1 - y[wrong]
    return x, y


def build():
    return nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))


def accuracy(models, x, y):
    with torch.no_grad():
        probs = sum(F.softmax(m(x), 1) for m in models)
    return (probs.argmax(1) == y).float().mean().item()


def run(name, make_opt, x, y, xt, yt):
    torch.manual_seed(100)
    model = build()
    optimizer = make_opt(model.parameters())
    snapshots, history, lowest = [], [], None
    for epoch in range(EPOCHS):
        perm = torch.randperm(len(x))
        running = 0.0
        for b in range(0, len(x), BS):
            xb, yb = x[perm[b:b + BS]], y[perm[b:b + BS]]

            def closure():
                optimizer.zero_grad()
                loss = F.cross_entropy(model(xb), yb)
                loss.backward()
                return loss

            loss = optimizer.step(closure)
            running += loss.detach()
            if lowest is None or loss < lowest:
                lowest = loss.detach()
        history.append(running / (len(x) // BS))
        if epoch % 4 == 3:
            snapshots.append(copy.deepcopy(model))
    print("%-4s loss %.4f (lowest batch %.4f)  test %.3f  ensemble %.3f" % (
        name, history[-1], lowest, accuracy([model], xt, yt), accuracy(snapshots, xt, yt)))


if __name__ == "__main__":
    torch.manual_seed(6)
    x, y = moons(N_TRAIN, flip=0.15)
    xt, yt = moons(N_TEST)
    run("sgd", lambda ps: torch.optim.SGD(ps, lr=0.1, momentum=0.9), x, y, xt, yt)
    run("sam", lambda ps: SAM(ps, lr=0.1, rho=0.08), x, y, xt, yt)
