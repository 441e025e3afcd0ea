# gradwatch-corpus: kind=second-backward
# holder: self.flat_grad | op.flat_grad
# first-bad: 40
"""Train a small classifier, rank training points by influence every 40 steps."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from curvature import DampedHessian, conjugate_gradient, flatten
from toydata import minibatches, two_rings

CFG = dict(seed=3, lr=0.15, steps=160, batch=64, rank_every=40, damping=0.1, cg_iters=12)


def build_net():
    return nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 2))


def per_sample_grads(net, params, x, y):
    rows = []
    for xi, yi in zip(x, y):
        gi = torch.autograd.grad(F.cross_entropy(net(xi[None]), yi[None]), params)
        rows.append(flatten(gi))
    return torch.stack(rows)


def rank_training_points(net, train, probe, cfg):
    params = [p for p in net.parameters()]
    xt, yt = train
    xp, yp = probe
    op = DampedHessian(F.cross_entropy(net(xt), yt), params, cfg["damping"])
    rhs = flatten(torch.autograd.grad(F.cross_entropy(net(xp), yp), params))
    ihvp, residual = conjugate_gradient(op, rhs, cfg["cg_iters"])
    scores = -per_sample_grads(net, params, xt[:40], yt[:40]) @ ihvp
    return scores, residual


def main():
    cfg = CFG
    torch.manual_seed(cfg["seed"])
    x, y = two_rings(400)
    xv, yv = two_rings(80)
    net = build_net()
    opt = torch.optim.SGD(net.parameters(), lr=cfg["lr"], momentum=0.9)
    stream = minibatches(x, y, cfg["batch"])
    for step in range(cfg["steps"]):
        if step and step % cfg["rank_every"] == 0:
            scores, res = rank_training_points(net, (x, y), (xv, yv), cfg)
            worst = scores.abs().topk(3).indices.tolist()
            print(f"step {step}: most influential {worst}, cg residual {res:.2e}")
        xb, yb = next(stream)
        opt.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
