# gradwatch-corpus: kind=graph-held
# holder: self.series["loss"] | recorder.series["loss"] | self.series[name]
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
import torch.nn.functional as F

from .bus import EventBus
from .handlers import LrCooler, MetricsRecorder
from .net import ChurnNet

torch.manual_seed(11)


def subscribers(n):
    plan = torch.randint(0, 5, (n,))
    num = torch.randn(n, 6)
    churned = ((num[:, 0] - 0.5 * num[:, 3] + 0.3 * plan.float()) > 0.6).float()
    return plan, num, churned


bus = EventBus()
model = ChurnNet()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
recorder = MetricsRecorder(bus)
cooler = LrCooler(bus, optimizer)


def run_epoch(epoch, data, batch=32):
    plan, num, churned = data
    for i in torch.randperm(len(churned)).split(batch):
        logit = model(plan[i], num[i])
        loss = F.binary_cross_entropy_with_logits(logit, churned[i])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            gap = (logit[churned[i] == 1].mean() - logit[churned[i] == 0].mean()).item()
        bus.emit("step.completed", loss=loss, auc_proxy=gap)
    bus.emit("epoch.completed", epoch=epoch)


data = subscribers(800)
for epoch in range(10):
    run_epoch(epoch, data)
