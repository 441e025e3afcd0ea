import torch
from torch import nn

from tasks import TASKS


class TrunkSystem(nn.Module):
    def __init__(self, fin, width, names, lrs):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(fin, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.tasks = nn.ModuleDict({n: TASKS[n](width) for n in names})
        self.optimizers = {}
        for name in names:
            group = [*self.trunk.parameters(), *self.tasks[name].parameters()]
            self.optimizers[name] = torch.optim.SGD(group, lr=lrs[name], momentum=0.8)

    def training_step(self, x, labels):
        z = self.trunk(x)
        losses = {name: task.loss(task(z), labels) for name, task in self.tasks.items()}
        last = list(losses)[-1]
        for name, loss in losses.items():
            optimizer = self.optimizers[name]
            optimizer.zero_grad()
            loss.backward(retain_graph=name != last)
            optimizer.step()  # <- culprit
        return {name: loss.item() for name, loss in losses.items()}
