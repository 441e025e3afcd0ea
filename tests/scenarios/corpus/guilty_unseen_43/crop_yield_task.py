# gradwatch-corpus: kind=graph-held
# holder: self.task._step_outputs['train'] | self._step_outputs | task._step_outputs | self._step_outputs["train"] | self._step_outputs[stage]
# first-bad: 1
"""Yield regression from weather series, in the template-method style we use for all tasks."""
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class BaseTask(nn.Module):
    lr = 1e-3

    def __init__(self):
        super().__init__()
        self._step_outputs = defaultdict(list)

    def shared_step(self, batch):
        raise NotImplementedError

    def _record(self, stage, out):
        self._step_outputs[stage].append(out)  # <- culprit

    def training_step(self, batch):
        out = self.shared_step(batch)
        self._record("train", out)  # <- culprit
        return out["loss"]

    @torch.no_grad()
    def validation_step(self, batch):
        out = self.shared_step(batch)
        self._record("val", out)

    def summarize(self, stage, last=None):
        outs = self._step_outputs[stage]
        outs = outs[-last:] if last else outs
        loss = sum(float(o["loss"]) for o in outs) / len(outs)
        pred = torch.cat([o["pred"] for o in outs]).flatten()
        return {"loss": loss, "pred_std": pred.std().item()}

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)


class YieldTask(BaseTask):
    lr = 2e-3

    def __init__(self, n_vars, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(n_vars, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 16), nn.SiLU(), nn.Linear(16, 1))

    def forward(self, series):
        _, h = self.rnn(series)
        return self.head(h[-1]).squeeze(-1)

    def shared_step(self, batch):
        series, target = batch
        pred = self(series)
        return {"loss": F.smooth_l1_loss(pred, target), "pred": pred}  # <- culprit


class WeatherFields(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, 18, 5, generator=g).cumsum(1) * 0.3
        rain, heat = self.x[..., 0].mean(1), self.x[..., 1].amax(1)
        self.y = rain - 0.5 * heat.clamp(min=0) + 0.1 * torch.randn(n, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Runner:
    def __init__(self, task, train, val, max_epochs):
        self.task, self.train, self.val = task, train, val
        self.max_epochs = max_epochs
        self.optimizer = task.configure_optimizers()

    def run(self):
        for epoch in range(self.max_epochs):
            self.task.train()
            for batch in self.train:
                self.optimizer.zero_grad()
                loss = self.task.training_step(batch)
                loss.backward()
                nn.utils.clip_grad_norm_(self.task.parameters(), 1.0)
                self.optimizer.step()
            self.task.eval()
            for batch in self.val:
                self.task.validation_step(batch)
            tr = self.task.summarize("train", last=len(self.train))
            va = self.task.summarize("val", last=len(self.val))
            print(f"[{epoch}] train {tr['loss']:.4f} val {va['loss']:.4f} spread {va['pred_std']:.3f}")


if __name__ == "__main__":
    torch.manual_seed(5)
    train = DataLoader(WeatherFields(640, 1), batch_size=32, shuffle=True)
    val = DataLoader(WeatherFields(96, 2), batch_size=48)
    Runner(YieldTask(n_vars=5), train, val, max_epochs=5).run()
