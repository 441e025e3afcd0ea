# gradwatch-corpus: kind=graph-chain
# holder: net.params
# first-bad: 1
import torch

from learner import InnerNet
from learner import StepSizes
from rowers import ErgSessions

ROUNDS = 60


def mse(a, b):
    return (a - b).square().mean()


def inner_step(net, lrs, x, y):
    loss = mse(net(x), y)
    grads = torch.autograd.grad(loss, net.params, create_graph=True)
    rates = lrs()
    fresh = []
    for k, (p, g) in enumerate(zip(net.params, grads)):
        fresh.append(p - rates[k] * g)
    net.params = fresh  # <- culprit
    return loss


def run():
    torch.manual_seed(1)
    data = ErgSessions()
    net = InnerNet([data.n_features, 24, 1])
    lrs = StepSizes(len(net.params))
    meta_opt = torch.optim.Adam(lrs.parameters(), lr=0.02)
    for r in range(ROUNDS):
        x, y = data.draw(32)
        train_loss = inner_step(net, lrs, x, y)
        xv, yv = data.draw(32)
        val_loss = mse(net(xv), yv)
        meta_opt.zero_grad()
        val_loss.backward(retain_graph=True)  # <- culprit
        meta_opt.step()
        if r % 10 == 0:
            rates = ", ".join(f"{v:.3f}" for v in lrs().tolist())
            print(f"round {r:3d} train {train_loss.item():.4f} val {val_loss.item():.4f} lr [{rates}]")
    return net


if __name__ == "__main__":
    run()
