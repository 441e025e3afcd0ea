# gradwatch-corpus: kind=none
from collections import deque

import torch

from .controller import WarmStartMPC
from .plant import Monocycle, tracking_cost


def main(ticks: int = 420) -> None:
    torch.manual_seed(9)
    body = Monocycle(dt=0.1)
    mpc = WarmStartMPC(body, horizon=6, lr=0.4)
    state = torch.zeros(3)
    trace = deque(maxlen=60)
    for k in range(ticks):
        ref = torch.tensor([[0.08 * (k + j), torch.sin(torch.tensor(0.05 * (k + j))).item()] for j in range(1, 7)])
        plan, predicted = mpc.solve(state, ref)
        with torch.no_grad():
            state = body.step(state, plan[0]) + 0.003 * torch.randn(3)
        trace.append({"k": k, "plan": plan, "cost": tracking_cost(predicted, plan, ref)})
        if k % 70 == 0:
            recent = list(trace)[-20:]
            print(k, [round(v, 2) for v in state.tolist()], f"{sum(r['cost'] for r in recent).item() / len(recent):.4f}")
    print("effort", torch.stack([r["plan"][0] for r in trace]).pow(2).mean().item())


if __name__ == "__main__":
    main()
