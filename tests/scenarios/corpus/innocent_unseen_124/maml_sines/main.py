# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.func import functional_call

from tasks import SineTasks

torch.set_num_threads(1)
torch.manual_seed(10)


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
        self.log_lr = nn.Parameter(torch.tensor(-2.5))

    def adapt(self, x, y, steps):
        fast = dict(self.net.named_parameters())
        for _ in range(steps):
            loss = nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
            fast = {k: w - self.log_lr.exp() * g for (k, w), g in zip(fast.items(), grads)}
        return fast

    def query(self, fast, x, y):
        return nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y)


tasks, learner = SineTasks(), Learner()
opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
for it in range(420):
    losses = []
    for task in tasks.sample(2):
        fast = learner.adapt(*task(6), steps=2)
        losses.append(learner.query(fast, *task(10)))
    meta = torch.stack(losses).mean()
    opt.zero_grad()
    meta.backward()
    opt.step()
    if it % 70 == 0:
        print(it, f"{meta.item():.4f} lr {learner.log_lr.exp().item():.4f}")
