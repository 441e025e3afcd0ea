# gradwatch-corpus: kind=none
"""EMA teacher, consistency loss, stochastic weight averaging at the end."""
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, SWALR, get_ema_multi_avg_fn

torch.manual_seed(19)
make = lambda: nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 4))
net = make()
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.98))
swa = AveragedModel(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
swa_sched = SWALR(opt, swa_lr=0.03, anneal_epochs=10)
mu = torch.randn(4, 10) * 1.5
running = None
for it in range(180):
    y = torch.randint(0, 4, (32,))
    x = mu[y] + torch.randn(32, 10)
    u = mu[torch.randint(0, 4, (32,))] + torch.randn(32, 10)
    sup = nn.functional.cross_entropy(net(x), y)
    with torch.no_grad():
        t = ema(u + 0.1 * torch.randn_like(u)).softmax(1)
    cons = (net(u).softmax(1) - t).pow(2).sum(1).mean()
    loss = sup + min(1, it / 50) * cons
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update_parameters(net)
    running = loss.detach() if running is None else 0.9 * running + 0.1 * loss.detach()
    if it >= 120:
        swa.update_parameters(net)
        swa_sched.step()
    if it % 45 == 0:
        print(it, "running %.4f cons %.4f" % (running, cons))
