# gradwatch-corpus: kind=none
"""Meta-learning of calibration curves for small sensors (second-order MAML, Accelerate)."""
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.func import functional_call
from torch.utils.data import DataLoader, IterableDataset

torch.set_num_threads(1)


class SensorTasks(IterableDataset):
    """Every item is one sensor: a support and a query set on its own calibration curve."""

    def __init__(self, n_tasks, shots=8, seed=0):
        self.n, self.shots, self.seed = n_tasks, shots, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.n):
            a, b, c = (torch.rand(3, generator=g) * torch.tensor([1.5, 3.0, 1.0])).tolist()
            x = torch.rand(2 * self.shots, 1, generator=g) * 4 - 2
            y = (a + 0.5) * torch.tanh(x + c) + 0.2 * torch.sin(b * x)
            yield x[:self.shots], y[:self.shots], x[self.shots:], y[self.shots:]


class Adapter:
    """Inner loop; keeps the fast weights of the task at hand."""

    def __init__(self, model, steps=2, lr=0.05):
        self.model, self.steps = model, steps
        self.log_lr = nn.Parameter(torch.tensor(lr).log())
        self.trajectory = []

    def loss(self, params, x, y):
        return F.mse_loss(functional_call(self.model, params, (x,)), y)

    def adapt(self, x, y, training=True):
        params = dict(self.model.named_parameters())
        self.trajectory = [params]
        for _ in range(self.steps):
            inner = self.loss(params, x, y)
            grads = torch.autograd.grad(inner, list(params.values()), create_graph=training)
            rate = self.log_lr.exp()
            params = {k: p - rate * g for (k, p), g in zip(params.items(), grads)}
            self.trajectory.append(params)
        return params


def evaluate(adapter, tasks):
    before, after = [], []
    for xs, ys, xq, yq in tasks:
        fast = adapter.adapt(xs, ys, training=False)
        with torch.no_grad():
            before.append(adapter.loss(adapter.trajectory[0], xq, yq).item())
            after.append(adapter.loss(fast, xq, yq).item())
    return sum(before) / len(before), sum(after) / len(after)


def main():
    set_seed(64)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    adapter = Adapter(model)
    optimizer = torch.optim.Adam([*model.parameters(), adapter.log_lr], lr=3e-3)
    loader = DataLoader(SensorTasks(1240), batch_size=None)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    test = list(SensorTasks(20, seed=777))

    history, task_losses = [], []
    updates = 0
    for xs, ys, xq, yq in loader:
        with accelerator.accumulate(model):
            fast = adapter.adapt(xs, ys)
            outer = adapter.loss(fast, xq, yq)
            task_losses.append(outer)
            accelerator.backward(outer)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients:
            updates += 1
            history.append(torch.stack(task_losses).mean().item())
            task_losses = []
            if updates % 100 == 0:
                b, a = evaluate(adapter, test)
                rate = adapter.log_lr.exp().item()
                accelerator.print(f"{updates} train {history[-1]:.4f} test {b:.4f}->{a:.4f} rate {rate:.3f}")


if __name__ == "__main__":
    main()
