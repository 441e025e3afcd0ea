# gradwatch-corpus: kind=none
import math
import random

import torch
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)


class Sinusoid:
    def __init__(self, rng):
        self.amp = rng.uniform(0.5, 3.0)
        self.phase = rng.uniform(0, math.pi)

    def draw(self, k):
        x = torch.rand(k, 1) * 8 - 4
        return x, self.amp * torch.sin(x + self.phase)


class Learner(torch.nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.l1 = torch.nn.Linear(1, h)
        self.l2 = torch.nn.Linear(h, h)
        self.l3 = torch.nn.Linear(h, 1)

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


class MetaLearner:
    def __init__(self, inner_lr=0.05, inner_steps=2, outer_lr=2e-3):
        self.model = Learner()
        self.log_lr = torch.nn.ParameterDict({
            n.replace(".", "_"): torch.nn.Parameter(torch.tensor(math.log(inner_lr)))
            for n, _ in self.model.named_parameters()
        })
        self.inner_steps = inner_steps
        self.outer = torch.optim.Adam([*self.model.parameters(), *self.log_lr.parameters()], lr=outer_lr)
        self.fast = {}
        self.curve = []

    def reset_fast(self):
        self.fast = dict(self.model.named_parameters())

    def predict(self, x):
        return functional_call(self.model, self.fast, (x,))

    def adapt(self, x, y, second_order=True):
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.predict(x), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=second_order)
            self.fast = {
                n: w - self.log_lr[n.replace(".", "_")].exp() * g
                for (n, w), g in zip(self.fast.items(), grads)
            }

    def meta_step(self, tasks, shots=8):
        self.outer.zero_grad()
        total = 0.0
        for task in tasks:
            self.reset_fast()
            self.adapt(*task.draw(shots))
            xq, yq = task.draw(shots)
            loss = F.mse_loss(self.predict(xq), yq) / len(tasks)
            loss.backward()
            total += loss.detach()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.outer.step()
        self.curve.append(total)

    def test(self, task, shots=8):
        """Adapts on one new task and measures before and after."""
        self.reset_fast()
        xq, yq = task.draw(50)
        with torch.no_grad():
            before = F.mse_loss(self.predict(xq), yq).item()
        self.adapt(*task.draw(shots), second_order=False)
        self.fast = {n: w.detach() for n, w in self.fast.items()}
        after = F.mse_loss(self.predict(xq), yq).item()
        return before, after


def main(iterations=180, meta_batch=3):
    torch.manual_seed(0)
    rng = random.Random(0)
    meta = MetaLearner()
    for it in range(iterations):
        meta.meta_step([Sinusoid(rng) for _ in range(meta_batch)])
        if (it + 1) % 45 == 0:
            before, after = meta.test(Sinusoid(rng))
            recent = torch.stack(meta.curve[-45:]).mean().item()
            print(f"{it + 1}: query {recent:.3f}, new task {before:.3f} -> {after:.3f}")


if __name__ == "__main__":
    main()
