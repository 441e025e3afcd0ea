# gradwatch-corpus: kind=inplace-modified
# holder: self.protos | bank.protos | net.bank.protos | ctx.net.bank.protos | protos
# first-bad: 75
# notice: 0
from collections import ChainMap

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)

DEFAULTS = {"classes": 5, "dim": 12, "lr": 4e-3, "steps": 420, "tidy_every": 25, "tidy_from": 60}


class Bank(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.protos = nn.Parameter(F.normalize(torch.randn(classes, dim), dim=-1))

    def forward(self, z, temp=0.3):
        return z @ self.protos.t() / temp

    @torch.no_grad()
    def tidy(self):
        self.protos.div_(self.protos.norm(dim=-1, keepdim=True))  # <- culprit


class LeafNet(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.conv = nn.Conv2d(2, 6, 3, stride=2)
        self.fc = nn.Linear(6 * 9, dim)
        self.bank = Bank(classes, dim)

    def forward(self, img):
        z = self.fc(F.relu(self.conv(img)).flatten(1))
        return self.bank(F.normalize(z, dim=-1))


def tidy_bank(ctx):
    if ctx["step"] >= ctx["tidy_from"] and ctx["step"] % ctx["tidy_every"] == 0:
        ctx["net"].bank.tidy()


def log_margin(ctx):
    top = ctx["logits"].detach().topk(2).values
    ctx["margins"].append((top[:, 0] - top[:, 1]).mean().item())


STAGES = {"logits_ready": [log_margin, tidy_bank], "step_done": []}


def train(**overrides):
    cfg = ChainMap(overrides, DEFAULTS)
    net = LeafNet(cfg["classes"], cfg["dim"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
    patterns = torch.randn(cfg["classes"], 2, 7, 7)
    margins = []
    for step in range(cfg["steps"]):
        y = torch.randint(0, cfg["classes"], (10,))
        logits = net(patterns[y] + 0.5 * torch.randn(10, 2, 7, 7))
        ctx = ChainMap({"step": step, "net": net, "logits": logits, "margins": margins}, cfg)
        for fn in STAGES["logits_ready"]:
            fn(ctx)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for fn in STAGES["step_done"]:
            fn(ctx)
    return margins[-1]


if __name__ == "__main__":
    torch.manual_seed(42)
    print(train(steps=450))
