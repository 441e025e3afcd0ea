# gradwatch-corpus: kind=none
"""Traffic forecasting (speed, flow, incidents) with gradient surgery, worker threads and accumulation."""
import torch

from data import Corridor
from tasks import Shared, TASKS
from work import Evaluator, Surgery


def main(updates=304, accumulate=2):
    torch.set_num_threads(1)
    torch.manual_seed(19)
    corridor, net = Corridor(16), Shared(16, 24)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    surgery = Surgery(list(net.trunk.parameters()))
    log = []
    with Evaluator(workers=2) as pool:
        for step in range(updates):
            opt.zero_grad()
            micro = []
            for _ in range(accumulate):
                batch = corridor.windows(12)
                z = net.trunk(batch["past"].flatten(1))
                losses = pool.evaluate({name: (fn, net.heads[name], z, batch) for name, fn in TASKS.items()})
                surgery.backward(losses, scale=1 / accumulate)
                micro.append(losses)
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            log.append({k: sum(m[k] for m in micro).detach() / accumulate for k in TASKS})
            if step % 76 == 75:
                print(step + 1, {k: round(torch.stack([r[k] for r in log[-76:]]).mean().item(), 4) for k in TASKS},
                      "conflicts", surgery.conflicts)


if __name__ == "__main__":
    main()
