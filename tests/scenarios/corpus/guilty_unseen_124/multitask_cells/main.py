# gradwatch-corpus: kind=second-backward
# holder: shared
# first-bad: 30
# notice: 0
"""Gene expression -> cell type, cycle phase and batch of origin."""
import torch

from cells import Cells
from heads import Panel
from schedule import HeadSchedule

torch.set_num_threads(1)
torch.manual_seed(33)


def per_task_update(panel, x, targets, active):
    shared = panel.trunk(x)
    report = {}
    for name in active:
        loss = panel.loss(name, shared, targets[name])
        loss.backward()  # <- culprit
        report[name] = round(loss.item(), 3)
    return report


def fit(panel, cells, schedule, epochs):
    opt = torch.optim.Adam(panel.parameters(), lr=2e-3)
    for epoch in range(epochs):
        for x, targets in cells.loader(batch=32, n=10):
            opt.zero_grad()
            report = per_task_update(panel, x, targets, schedule(epoch))
            opt.step()
        print(epoch, report)


fit(Panel(Cells.genes, Cells.tasks), Cells(), HeadSchedule(list(Cells.tasks), grow_every=3), 12)
