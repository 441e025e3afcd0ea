# gradwatch-corpus: kind=none
"""u'' = -sin(x) on [0, pi] with LBFGS; the closure fills a list which is emptied after each step."""
import math
import torch

torch.manual_seed(8)
torch.set_default_dtype(torch.float64)
net = torch.nn.Sequential(torch.nn.Linear(1, 12), torch.nn.Tanh(), torch.nn.Linear(12, 12), torch.nn.Tanh(), torch.nn.Linear(12, 1))
x = torch.linspace(0, math.pi, 40)[:, None].requires_grad_()
xb = torch.tensor([[0.0], [math.pi]])
opt = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=3, history_size=8)
calls = []
best = float("inf")


def closure():
    opt.zero_grad()
    u = net(x)
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    ddu = torch.autograd.grad(du.sum(), x, create_graph=True)[0]
    loss = (ddu + torch.sin(x)).pow(2).mean() + net(xb).pow(2).sum()
    loss.backward()
    calls.append(loss)
    return loss


for it in range(120):
    opt.step(closure)
    val = min(l.item() for l in calls)
    calls.clear()
    best = min(best, val)
    if it % 30 == 0:
        print(it, "%.3e" % best)
