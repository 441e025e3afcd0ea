# gradwatch-corpus: kind=graph-held
# holder: q.grad | fast
# first-bad: 1
# notice: 60
"""First-order MAML / Reptile-like experiments on sinusoids."""
import copy
import math

import torch
from torch import nn

torch.set_num_threads(1)


class Sines:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)

    def task(self):
        amp, ph = torch.rand(2, generator=self.g) * torch.tensor([4.0, math.pi]) + torch.tensor([0.5, 0.0])
        def draw(k):
            x = torch.rand(k, 1, generator=self.g) * 8 - 4
            return x, amp * torch.sin(x + ph)
        return draw


class MetaTrainer:
    def __init__(self, net, inner_lr=0.02, inner_steps=2, meta_lr=2e-3):
        self.net, self.inner_lr, self.inner_steps = net, inner_lr, inner_steps
        self.meta = torch.optim.Adam(net.parameters(), lr=meta_lr)

    def adapt(self, draw):
        fast = copy.deepcopy(self.net)
        weights = list(fast.parameters())
        for _ in range(self.inner_steps):
            x, y = draw(8)
            grads = torch.autograd.grad(nn.functional.mse_loss(fast(x), y), weights)
            with torch.no_grad():
                for w, g in zip(weights, grads):
                    w.sub_(self.inner_lr * g)
        return fast

    def meta_step(self, draw):
        fast = self.adapt(draw)
        x, y = draw(8)
        q_loss = nn.functional.mse_loss(fast(x), y)
        q_loss.backward(create_graph=True)  # <- culprit
        for p, q in zip(self.net.parameters(), fast.parameters()):
            p.grad = q.grad.detach().clone()
        self.meta.step()
        return q_loss.item()


if __name__ == "__main__":
    import warnings
    warnings.filterwarnings("ignore", message="Using backward")
    torch.manual_seed(9)
    trainer, sines = MetaTrainer(nn.Sequential(nn.Linear(1, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 1))), Sines()
    acc = 0.0
    for it in range(1, 401):
        acc += trainer.meta_step(sines.task())
        if it % 100 == 0:
            print(f"meta-iter {it}: post-adaptation loss {acc / 100:.3f}")
            acc = 0.0
