# gradwatch-corpus: kind=graph-held
# holder: engine.cb.items[1].meter.sums | self.sums | self.sums[key] | meter.sums | cb.meter.sums | self.meter.sums
# first-bad: 1
# notice: 8
"""Customer churn with mixed numeric / categorical columns."""
import torch

from callbacks import CallbackList, EpochMeter, LRWarmup
from data import churn_table
from engine import Engine
from net import TabNet


def build():
    torch.set_num_threads(1)
    torch.manual_seed(99)
    num, cat, y = churn_table(2400)
    net = TabNet(num.shape[1], [6, 4, 12])
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    cbs = CallbackList([LRWarmup(opt, 40), EpochMeter(report_every=150)])
    return Engine(net, opt, cbs), (num, cat, y)


if __name__ == "__main__":
    engine, table = build()
    engine.fit(table, epochs=10, batch_size=64)
