# gradwatch-corpus: kind=none
"""MAML over tissues: each tissue regulates the genes in its own way, the prior is shared."""
import torch

from inner import adapt, per_task_loss
from tissues import Tissues

torch.set_num_threads(1)


def initial(genes, width, seed=0):
    g = torch.Generator().manual_seed(seed)
    p = {
        "w1": torch.randn(genes, width, generator=g) / genes ** 0.5,
        "b1": torch.zeros(width),
        "w2": torch.randn(width, 1, generator=g) / width ** 0.5,
        "b2": torch.zeros(1),
    }
    rates = {k: torch.tensor(-2.5) for k in p}
    return ({k: v.requires_grad_() for k, v in p.items()}, {k: v.requires_grad_() for k, v in rates.items()})


def main(outer=150, tasks=6):
    world = Tissues(genes=16, seed=3)
    prior, log_rates = initial(16, 20)
    opt = torch.optim.Adam([
        {"params": list(prior.values()), "lr": 3e-3},
        {"params": list(log_rates.values()), "lr": 1e-2},
    ])
    slow = {k: v.detach().clone() for k, v in prior.items()}
    history = {"before": [], "after": []}

    for it in range(outer):
        support, query = world.tasks(tasks)
        steps = 1 + min(2, it // 50)
        opt.zero_grad()
        fast = torch.func.vmap(
            lambda x, y: adapt(prior, log_rates, x, y, steps), randomness="error"
        )(*support)
        meta = per_task_loss(fast, *query).mean()
        meta.backward()
        opt.step()

        with torch.no_grad():
            for k, v in prior.items():
                slow[k].lerp_(v, 0.02)
            shared = {k: v.expand(tasks, *v.shape) for k, v in prior.items()}
            history["before"].append(per_task_loss(shared, *query).mean())
        history["after"].append(meta.detach())
        if it % 30 == 29:
            b, a = (torch.stack(history[k][-30:]).mean().item() for k in ("before", "after"))
            print(f"outer {it + 1:3d} inner {steps}: zero-shot {b:.3f} adapted {a:.3f}")


if __name__ == "__main__":
    main()
