# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(12)


class SineTask:
    def __init__(self):
        self.amp = torch.rand(1) * 2 + 0.5
        self.phase = torch.rand(1) * 3.14

    def sample(self, n):
        x = torch.rand(n, 1) * 8 - 4
        return x, self.amp * torch.sin(x + self.phase)


class Maml:
    def __init__(self, model, inner_lr=0.03, inner_steps=2):
        self.model = model
        self.log_lr = nn.Parameter(torch.tensor(inner_lr).log())
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*model.parameters(), self.log_lr], lr=2e-3)
        self.trajectory = []

    def adapt(self, x, y):
        fast = dict(self.model.named_parameters())
        self.trajectory = [fast]
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.model, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {n: p - self.log_lr.exp() * g for (n, p), g in zip(fast.items(), grads)}
            self.trajectory.append(fast)
        return fast

    def outer(self, tasks):
        total = 0.0
        for task in tasks:
            self.adapt(*task.sample(10))
            x, y = task.sample(10)
            steps = [F.mse_loss(functional_call(self.model, f, (x,)), y) for f in self.trajectory]
            weights = torch.tensor([0.1, 0.2, 0.7])
            total = total + (torch.stack(steps) * weights).sum()
        loss = total / len(tasks)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    maml = Maml(model)
    smooth = None
    for it in range(80):
        loss = maml.outer([SineTask() for _ in range(3)])
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        if it % 20 == 0:
            print(f"{it} meta loss {smooth:.3f} inner lr {maml.log_lr.exp().item():.4f}")


if __name__ == "__main__":
    main()
