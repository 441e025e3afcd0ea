# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.func import functional_call
from torch.nn.functional import mse_loss


class Regressor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.l1 = nn.Linear(1, hidden)
        self.l2 = nn.Linear(hidden, hidden)
        self.l3 = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


class SineTasks:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, k):
        amp = 0.5 + 4.0 * torch.rand(1, generator=self.g)
        phase = 3.14 * torch.rand(1, generator=self.g)
        x = 10 * torch.rand(2 * k, 1, generator=self.g) - 5
        y = amp * torch.sin(x + phase)
        return (x[:k], y[:k]), (x[k:], y[k:])


class MAML:
    def __init__(self, model, inner_lr=0.01, inner_steps=2):
        self.model = model
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.fast = None

    def adapt(self, support, create_graph):
        x, y = support
        self.fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = mse_loss(functional_call(self.model, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=create_graph)
            self.fast = {n: p - self.inner_lr * g for (n, p), g in zip(self.fast.items(), grads)}
        return self.fast

    def query_loss(self, query):
        x, y = query
        return mse_loss(functional_call(self.model, self.fast, (x,)), y)


def meta_eval(maml, tasks, n=10):
    pre, post = 0.0, 0.0
    for _ in range(n):
        support, query = tasks.sample(10)
        with torch.no_grad():
            pre += mse_loss(maml.model(query[0]), query[1]).item()
        maml.adapt(support, create_graph=False)
        with torch.no_grad():
            post += maml.query_loss(query).item()
    return pre / n, post / n


def main():
    torch.manual_seed(0)
    maml = MAML(Regressor())
    meta_opt = torch.optim.Adam(maml.model.parameters(), lr=2e-3)
    train_tasks, test_tasks = SineTasks(1), SineTasks(2)
    curve = []
    for it in range(420):
        meta_loss = 0.0
        for _ in range(3):
            support, query = train_tasks.sample(10)
            maml.adapt(support, create_graph=True)
            meta_loss = meta_loss + maml.query_loss(query)
        meta_loss = meta_loss / 3
        meta_opt.zero_grad()
        meta_loss.backward()
        meta_opt.step()
        curve.append(float(meta_loss))
        if it % 60 == 59:
            pre, post = meta_eval(maml, test_tasks)
            print(f"iter {it + 1} meta {sum(curve[-60:]) / 60:.3f} pre {pre:.3f} post {post:.3f}")


if __name__ == "__main__":
    main()
