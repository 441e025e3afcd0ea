# gradwatch-corpus: kind=none
"""MAML over families of lines and parabolas; fast weights and trajectories inside each task."""
import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class Task:
    def __init__(self, g):
        self.g = g
        self.c = torch.randn(3, generator=g) * torch.tensor([0.5, 1.0, 0.5])

    def sample(self, n):
        x = torch.rand(n, 1, generator=self.g) * 4 - 2
        return x, self.c[0] + self.c[1] * x + self.c[2] * x * x


class MetaLearner(nn.Module):
    def __init__(self, net, inner_steps=3):
        super().__init__()
        self.net = net
        self.inner_steps = inner_steps
        self.log_lr = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for n, _ in net.named_parameters()
        })
        self.trajectory = []

    def adapt(self, x, y):
        fast = dict(self.net.named_parameters())
        self.trajectory = [fast]
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {n: w - self.log_lr[n.replace(".", "_")].exp() * g
                    for (n, w), g in zip(fast.items(), grads)}
            self.trajectory.append(fast)
        return fast

    def multi_step_loss(self, x, y):
        weights = torch.linspace(0.1, 1.0, len(self.trajectory))
        losses = [F.mse_loss(functional_call(self.net, w, (x,)), y) for w in self.trajectory]
        return (weights * torch.stack(losses)).sum() / weights.sum(), losses[-1]


def main(iters=400, tasks=2):
    torch.manual_seed(14)
    g = torch.Generator().manual_seed(14)
    learner = MetaLearner(nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1)))
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    curve, best = [], float("inf")
    for it in range(iters):
        meta, last = 0.0, 0.0
        for _ in range(tasks):
            task = Task(g)
            learner.adapt(*task.sample(8))
            loss, final = learner.multi_step_loss(*task.sample(12))
            meta = meta + loss / tasks
            last = last + final.detach() / tasks
        opt.zero_grad()
        meta.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
        opt.step()
        curve.append(last)
        best = min(best, float(last))
        if it % 50 == 0:
            print(f"{it} query mse {torch.stack(curve[-25:]).mean():.4f} best {best:.4f}")


if __name__ == "__main__":
    main()
