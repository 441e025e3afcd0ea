# gradwatch-corpus: kind=none
import torch

from .blocks import Stack
from .monitor import GradNorms

torch.set_num_threads(1)
torch.manual_seed(33)

net = Stack(vocab=16, d=16, depth=4)
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 6e-3, total_steps=420)
norms = GradNorms(net)
for step in range(420):
    ids = torch.randint(0, 16, (6, 1)) + torch.arange(11) * torch.randint(1, 3, (6, 1))
    ids = ids % 16
    loss = net.nll(ids)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    if step % 84 == 0:
        print(step, f"{loss.item():.3f}", norms.take())
    else:
        norms.take()
