# gradwatch-corpus: kind=none
import torch

from inner import InnerLoop
from tasks import Lines


def net():
    return torch.nn.Sequential(torch.nn.Linear(1, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1))


def main(iterations=420, meta_batch=2):
    torch.manual_seed(30)
    model, tasks = net(), Lines(seed=300)
    inner = InnerLoop(model, steps=2)
    opt = torch.optim.Adam([*model.parameters(), *inner.parameters()], 2e-3)
    curves = []
    for it in range(iterations):
        opt.zero_grad()
        for _ in range(meta_batch):
            support, query = tasks.sample(8)
            fast = inner.adapt(support)
            loss = inner.weighted_query(fast, query) / meta_batch
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        curves.append(inner.pop_trace())
        if it % 100 == 99:
            first = sum(c[0] for c in curves[-50:]) / 50
            last = sum(c[-1] for c in curves[-50:]) / 50
            print(f"{it + 1} before {first:.4f} after {last:.4f} lr {inner.rates()}")


if __name__ == "__main__":
    main()
