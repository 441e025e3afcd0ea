# gradwatch-corpus: kind=none
"""Recurrent copy-and-sum task; sequences get longer up to a limit."""
import torch

from curriculum import LengthPlan
from model import SumNet
from task import make_batch

torch.set_num_threads(1)
torch.manual_seed(16)


def main(updates=120):
    net = SumNet(symbols=8, width=40)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    plan = LengthPlan(first=10, limit=70, every=1)
    gen = torch.Generator().manual_seed(0)
    seen = {}
    for update in range(updates):
        x, y = make_batch(gen, batch=64, length=plan.length(update), symbols=8)
        guess, trace = net(x)
        loss = torch.nn.functional.cross_entropy(guess, y)
        loss = loss + 1e-3 * torch.stack(trace).diff(dim=0).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        seen.setdefault(plan.length(update), []).append(loss.item())
        if update % 20 == 0:
            recent = seen[plan.length(update)]
            print(f"update {update} length {plan.length(update)} loss {sum(recent) / len(recent):.3f}")


if __name__ == "__main__":
    main()
