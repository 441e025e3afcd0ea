# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)

from .policy import OrderUpTo
from .sim import Warehouse, Fortnight


def train(rounds=450):
    torch.manual_seed(8)
    shop = Warehouse(skus=4, lead=2)
    policy = OrderUpTo(4)
    opt = torch.optim.Adam(policy.parameters(), lr=0.02)
    ledger = Fortnight()
    trend = []
    for r in range(rounds):
        shop.reset()
        ledger.open()
        for day in range(14):
            order = policy(shop.state())
            holding, backlog, freight = shop.advance(order)
            ledger.book(holding=holding, backlog=backlog, freight=freight)
        bill = ledger.bill()
        opt.zero_grad(set_to_none=True)
        bill.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 5.0)
        opt.step()
        trend.append(bill.item())
        if r % 90 == 89:
            parts = ", ".join(f"{k} {v:.2f}" for k, v in ledger.split().items())
            print(f"round {r + 1}: {sum(trend[-30:]) / 30:.3f} a day ({parts})")


train()
