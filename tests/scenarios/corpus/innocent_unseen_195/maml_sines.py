# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class SineTask:
    def __init__(self, gen):
        self.amp = 0.5 + 2 * torch.rand(1, generator=gen)
        self.phase = 3.14 * torch.rand(1, generator=gen)
        self.gen = gen

    def sample(self, n=10):
        x = 8 * torch.rand(n, 1, generator=self.gen) - 4
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner:
    def __init__(self, net, inner_lr=0.05, inner_steps=2):
        self.net = net
        self.inner_steps = inner_steps
        self.log_lr = nn.Parameter(torch.tensor(inner_lr).log())
        self.fast = None
        self.trace = {}

    def adapt(self, x, y):
        self.fast = dict(self.net.named_parameters())
        self.trace = {}
        for k in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {n: w - self.log_lr.exp() * g for (n, w), g in zip(self.fast.items(), grads)}
            self.trace[f"inner{k}"] = loss
        return self.fast

    def query_loss(self, x, y):
        loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
        self.trace["outer"] = loss
        return loss

    def parameters(self):
        return [*self.net.parameters(), self.log_lr]


class BestKeeper:
    def __init__(self):
        self.loss, self.state, self.at = None, None, -1

    def offer(self, step, loss, net):
        if self.loss is None or loss < self.loss:
            self.loss, self.at = loss, step
            self.state = {k: v.clone() for k, v in net.state_dict().items()}


def main(meta_steps=450, tasks_per_step=2):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(10)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    learner = MetaLearner(net)
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    best = BestKeeper()
    history = []
    for step in range(meta_steps):
        total = 0.0
        for _ in range(tasks_per_step):
            task = SineTask(gen)
            learner.adapt(*task.sample())
            total = total + learner.query_loss(*task.sample())
        total = total / tasks_per_step
        opt.zero_grad()
        total.backward()
        opt.step()
        best.offer(step, total, net)
        history.append({k: v.item() for k, v in learner.trace.items()})
        if step % 90 == 0:
            row = " ".join(f"{k} {v:.3f}" for k, v in history[-1].items())
            print(f"{step:4d} {row} lr {learner.log_lr.exp().item():.4f} best@{best.at}")


if __name__ == "__main__":
    main()
