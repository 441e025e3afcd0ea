# gradwatch-corpus: kind=none
"""MAML on sine regression, second order, written out by hand."""
import torch
import torch.nn.functional as F

from net import SineNet
from tasks import sample_task

torch.set_num_threads(1)
torch.manual_seed(7)


def adapt(net, params, x, y, alpha, steps):
    fast = params
    for _ in range(steps):
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: p - alpha * g for (k, p), g in zip(fast.items(), grads)}
    return fast


net = SineNet(20)
opt = torch.optim.Adam(net.params.values(), lr=3e-3)
history = {"post": [], "pre": []}
for it in range(80):
    meta = 0.0
    pre = 0.0
    for _ in range(3):
        task = sample_task()
        xs, ys = task(10)
        xq, yq = task(10)
        with torch.no_grad():
            pre += F.mse_loss(net(xq, net.params), yq).item() / 3
        fast = adapt(net, net.params, xs, ys, 0.05, 2)
        meta = meta + F.mse_loss(net(xq, fast), yq)
    meta = meta / 3
    opt.zero_grad()
    meta.backward()
    opt.step()
    history["post"].append(meta.item())
    history["pre"].append(pre)
    if it % 20 == 0:
        print(it, "before %.3f after %.3f" % (pre, history["post"][-1]))

task = sample_task()
fast = adapt(net, net.params, *task(10), 0.05, 5)
with torch.no_grad():
    x, y = task(50)
    print("test task mse %.3f" % F.mse_loss(net(x, fast), y))
