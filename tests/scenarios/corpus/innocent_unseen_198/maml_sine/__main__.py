# gradwatch-corpus: kind=none
"""MAML on sinusoids. python -m maml_sine"""
import torch

from .net import init_params
from .inner import adapt, sine_task, mse


def main(outer=400, tasks=3):
    torch.manual_seed(10)
    meta = init_params()
    opt = torch.optim.Adam(meta, lr=1e-3)
    adapted = {}
    trail = []
    for it in range(outer):
        total = 0.0
        for k in range(tasks):
            (xs, ys), (xq, yq) = sine_task()
            fast, inner_trace = adapt(meta, xs, ys, steps=2, lr=0.05)
            adapted[k] = fast
            q = mse(fast, xq, yq)
            total = total + q / tasks
            trail.append((it, k, [float(v) for v in inner_trace], q.item()))
        opt.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(meta, 5.0)
        opt.step()
        if it % 50 == 0:
            spread = torch.stack([adapted[k][0].detach() for k in adapted]).std(0).mean().item()
            recent = [t[-1] for t in trail[-60:]]
            print(f"outer {it} query {sum(recent) / len(recent):.4f} spread {spread:.5f}")


if __name__ == "__main__":
    main()
