# gradwatch-corpus: kind=none
import functools
import torch
from torch import nn

torch.set_num_threads(1)


def per_step_cache(method):
    """Memoise a module method by its argument until `invalidate()` is called."""

    @functools.wraps(method)
    def inner(self, key):
        if key not in self._memo:
            self._memo[key] = method(self, key)
        return self._memo[key]

    return inner


class Hyper(nn.Module):
    def __init__(self, tasks=4, d_in=3, d_out=2):
        super().__init__()
        self.code = nn.Embedding(tasks, 5)
        self.gen = nn.Linear(5, d_in * d_out + d_out)
        self.d_in, self.d_out = d_in, d_out
        self._memo = {}

    def invalidate(self):
        self._memo.clear()

    @per_step_cache
    def weights(self, task):
        v = self.gen(torch.tanh(self.code(torch.tensor(task))))
        n = self.d_in * self.d_out
        return v[:n].view(self.d_out, self.d_in), v[n:]

    def forward(self, x, task):
        return nn.functional.linear(x, *self.weights(task))


def main():
    torch.manual_seed(55)
    truth = torch.randn(4, 2, 3)
    hyper = Hyper()
    opt = torch.optim.Adam(hyper.parameters(), 1e-2)
    for it in range(600):
        opt.zero_grad()
        loss = 0.0
        for micro in range(6):
            task = micro % 4
            x = torch.randn(8, 3)
            loss = loss + (hyper(x, task) - x @ truth[task].T).pow(2).mean()
        loss.backward()
        opt.step()
        hyper.invalidate()
        if it % 150 == 0:
            print(it, f"{loss.item() / 6:.4f}")


main()
