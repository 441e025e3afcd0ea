# gradwatch-corpus: kind=none
"""MAML on sinusoids, second order, functional parameters."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(15)


class SineTask:
    def __init__(self):
        self.amp = torch.empty(1).uniform_(0.5, 3.0)
        self.phase = torch.empty(1).uniform_(0, 3.14)

    def draw(self, n=10):
        x = torch.empty(n, 1).uniform_(-4, 4)
        return x, self.amp * torch.sin(x + self.phase)


class MAML:
    def __init__(self, net, inner_lr=0.02, inner_steps=2):
        self.net = net
        self.log_lr = nn.Parameter(torch.tensor(inner_lr).log())
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*net.parameters(), self.log_lr], lr=2e-3)
        self.fast = None

    def predict(self, params, x):
        return functional_call(self.net, params, (x,))

    def adapt(self, task):
        params = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            x, y = task.draw()
            loss = F.mse_loss(self.predict(params, x), y)
            grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
            params = {k: p - self.log_lr.exp() * g for (k, p), g in zip(params.items(), grads)}
        self.fast = params
        return params

    def meta_step(self, tasks):
        outer = []
        for task in tasks:
            params = self.adapt(task)
            x, y = task.draw()
            outer.append(F.mse_loss(self.predict(params, x), y))
        loss = torch.stack(outer).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    learner = MAML(net)
    curve = []
    for it in range(100):
        curve.append(learner.meta_step([SineTask() for _ in range(4)]))
        if it % 20 == 19:
            print(f"meta iter {it} loss {sum(curve[-20:]) / 20:.3f} inner lr {learner.log_lr.exp().item():.4f}")


if __name__ == "__main__":
    main()
