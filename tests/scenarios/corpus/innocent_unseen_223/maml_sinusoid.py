# gradwatch-corpus: kind=none
import copy
import torch
from torch import nn
from torch.func import functional_call


class Task:
    def __init__(self):
        self.amp = 0.1 + 4.9 * torch.rand(1)
        self.phase = 3.14 * torch.rand(1)

    def draw(self, k):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


class MAML:
    def __init__(self, net, inner_lr=0.02, inner_steps=3, outer_lr=2e-3):
        self.net = net
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.meta_opt = torch.optim.Adam(net.parameters(), lr=outer_lr)
        self.msl_weights = torch.ones(inner_steps) / inner_steps
        self.fast = None
        self.curve = []

    def adapt(self, x, y, params, create_graph):
        pred = functional_call(self.net, params, (x,))
        loss = nn.functional.mse_loss(pred, y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=create_graph)
        out = {}
        for (name, p), g in zip(params.items(), grads):
            out[name] = p - self.inner_lr * g
        return out

    def anneal(self):
        floor = 0.05
        self.msl_weights[:-1] = (self.msl_weights[:-1] * 0.97).clamp(min=floor)
        self.msl_weights[-1] = 1 - self.msl_weights[:-1].sum()

    def meta_step(self, tasks):
        step_losses = []
        for task in tasks:
            xs, ys = task.draw(10)
            xq, yq = task.draw(10)
            self.fast = dict(self.net.named_parameters())
            for j in range(self.inner_steps):
                self.fast = self.adapt(xs, ys, self.fast, create_graph=True)
                q = functional_call(self.net, self.fast, (xq,))
                step_losses.append(self.msl_weights[j].item() * nn.functional.mse_loss(q, yq))
        meta_loss = torch.stack(step_losses).sum() / len(tasks)
        self.meta_opt.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.meta_opt.step()
        self.anneal()
        self.curve.append(float(meta_loss.detach()))
        return self.curve[-1]

    def evaluate(self, task, steps=5):
        learner = copy.deepcopy(self.net)
        opt = torch.optim.SGD(learner.parameters(), lr=self.inner_lr)
        x, y = task.draw(10)
        for _ in range(steps):
            opt.zero_grad()
            nn.functional.mse_loss(learner(x), y).backward()
            opt.step()
        xt, yt = task.draw(50)
        with torch.no_grad():
            return nn.functional.mse_loss(learner(xt), yt).item()


if __name__ == "__main__":
    torch.manual_seed(4)
    net = nn.Sequential(
        nn.Linear(1, 40),
        nn.Tanh(),
        nn.Linear(40, 40),
        nn.Tanh(),
        nn.Linear(40, 1),
    )
    maml = MAML(net)
    held_out = [Task() for _ in range(5)]
    for it in range(90):
        loss = maml.meta_step([Task() for _ in range(4)])
        if it % 30 == 29:
            ev = sum(maml.evaluate(t) for t in held_out) / 5
            print(f"{it + 1}: meta {loss:.3f} eval {ev:.3f}")
