# gradwatch-corpus: kind=graph-held
# holder: self.value | trainer.callbacks[0].value | smoother.value
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
from torch import nn

import callbacks  # noqa: F401
from registry import CALLBACKS, MODELS, build, register

CONFIG = {
    "seed": 3,
    "steps": 420,
    "batch": 48,
    "model": {"type": "fm", "fields": [12, 7, 30], "rank": 6},
    "callbacks": [{"type": "smooth", "beta": 0.97}, {"type": "progress", "every": 140}],
}


@register(MODELS, "fm")
class FactorizationMachine(nn.Module):
    def __init__(self, fields, rank):
        super().__init__()
        total = sum(fields)
        self.register_buffer("offsets", torch.tensor([0] + fields[:-1]).cumsum(0))
        self.linear = nn.Embedding(total, 1)
        self.factors = nn.Embedding(total, rank)
        nn.init.normal_(self.factors.weight, std=0.1)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, ids):
        ids = ids + self.offsets
        v = self.factors(ids)
        pair = 0.5 * (v.sum(1).square() - v.square().sum(1)).sum(1)
        return self.bias + self.linear(ids).sum((1, 2)) + pair


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = build(MODELS, cfg["model"])
        self.callbacks = [build(CALLBACKS, c) for c in cfg["callbacks"]]
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=0.05)
        self.global_step = 0

    def fire(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def sample(self):
        f = self.cfg["model"]["fields"]
        ids = torch.stack([torch.randint(0, n, (self.cfg["batch"],)) for n in f], 1)
        p = torch.sigmoid((ids[:, 0] % 3 - 1.0) + 0.8 * ((ids[:, 1] + ids[:, 2]) % 2) - 1)
        return ids, torch.bernoulli(p)

    def step(self):
        ids, clicks = self.sample()
        loss = nn.functional.binary_cross_entropy_with_logits(self.model(ids), clicks)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return {"loss": loss, "ctr": clicks.mean().item()}

    def fit(self):
        self.fire("on_start")
        for self.global_step in range(self.cfg["steps"]):
            self.fire("on_batch", self.step())
        self.fire("on_end")


if __name__ == "__main__":
    torch.manual_seed(CONFIG["seed"])
    trainer = Trainer(CONFIG)
    trainer.fit()
