# gradwatch-corpus: kind=second-backward
# holder: feat
# first-bad: 54
# notice: 0
from types import SimpleNamespace

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(61)

CFG = SimpleNamespace(
    stages=[
        dict(name="pretrain", epochs=3, tasks=("recon",), freeze_trunk=False),
        dict(name="heads", epochs=3, tasks=("kind", "size"), freeze_trunk=True),
        dict(name="finetune", epochs=4, tasks=("kind", "size"), freeze_trunk=False),
    ],
    batch=50,
    lr=1e-3,
)


class Trunk(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.l1, self.l2 = nn.Linear(d, 40), nn.Linear(40, 20)

    def forward(self, x):
        return torch.tanh(self.l2(F.relu(self.l1(x))))


class MultiTask(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.trunk = Trunk(d)
        self.heads = nn.ModuleDict({"recon": nn.Linear(20, d), "kind": nn.Linear(20, 3), "size": nn.Linear(20, 1)})

    def freeze(self, on):
        self.trunk.requires_grad_(not on)


class Task:
    def __init__(self, name, target, criterion, weight=1.0):
        self.name, self.target, self.criterion, self.weight = name, target, criterion, weight

    def loss(self, heads, feat, batch):
        return self.weight * self.criterion(heads[self.name](feat), batch[self.target])


TASKS = {t.name: t for t in (
    Task("recon", "x", F.mse_loss),
    Task("kind", "kind", F.cross_entropy),
    Task("size", "size", F.smooth_l1_loss, weight=0.5),
)}


class Meter(dict):
    def add(self, name, value):
        total, n = self.get(name, (0.0, 0))
        self[name] = (total + value, n + 1)

    def means(self):
        return {k: round(s / n, 4) for k, (s, n) in self.items()}


class Engine:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg

    def update(self, tasks, batch, opt, meter):
        feat = self.model.trunk(batch["x"])
        opt.zero_grad()
        for task in tasks:
            loss = task.loss(self.model.heads, feat, batch)
            loss.backward()  # <- culprit
            meter.add(task.name, loss.item())
        nn.utils.clip_grad_norm_([p for p in self.model.parameters() if p.grad is not None], 5.0)
        opt.step()

    def run_stage(self, stage, data):
        self.model.freeze(stage["freeze_trunk"])
        opt = torch.optim.AdamW([p for p in self.model.parameters() if p.requires_grad], lr=self.cfg.lr)
        tasks = [TASKS[n] for n in stage["tasks"]]
        for epoch in range(stage["epochs"]):
            meter = Meter()
            for idx in torch.randperm(len(data["x"])).split(self.cfg.batch):
                self.update(tasks, {k: v[idx] for k, v in data.items()}, opt, meter)
            print(f"{stage['name']} {epoch}", meter.means())


def make_data(n=450, d=12):
    kind = torch.randint(3, (n,))
    size = torch.rand(n, 1)
    x = torch.randn(3, d)[kind] * (0.5 + size) + 0.2 * torch.randn(n, d)
    return {"x": x, "kind": kind, "size": size}


if __name__ == "__main__":
    engine = Engine(MultiTask(12), CFG)
    data = make_data()
    for stage in CFG.stages:
        engine.run_stage(stage, data)
