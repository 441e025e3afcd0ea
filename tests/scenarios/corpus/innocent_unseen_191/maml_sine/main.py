# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from inner import adapt, evaluate
from tasks import SineTasks


def main(meta_steps=400, tasks_per_step=2):
    torch.manual_seed(100)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    log_lr = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(-3.0))
                               for n, _ in net.named_parameters()})
    opt = torch.optim.Adam([
        {"params": net.parameters(), "lr": 2e-3},
        {"params": log_lr.parameters(), "lr": 1e-2},
    ])
    source = SineTasks(seed=101)
    adapted_bank = {}
    for step in range(meta_steps):
        opt.zero_grad()
        for slot in range(tasks_per_step):
            support, query = source.sample(10)
            fast = adapt(net, log_lr, support, inner_steps=3)
            loss = evaluate(net, fast, query) / tasks_per_step
            loss.backward()
            adapted_bank[slot] = fast
        opt.step()
        if step % 80 == 0:
            drift = sum((w - p).pow(2).sum().item()
                        for w, p in zip(adapted_bank[0].values(), net.parameters()))
            print(f"{step} query {loss.item():.4f} drift {drift:.4f}")


if __name__ == "__main__":
    main()
