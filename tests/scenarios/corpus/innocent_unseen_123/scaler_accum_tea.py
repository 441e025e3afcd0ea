# gradwatch-corpus: kind=none
"""Tea grading with bf16 autocast, micro-batches, an epoch's mean loss taken over a short list that every epoch empties."""
import contextlib
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(340)


@dataclass
class EpochLog:
    micro: list = field(default_factory=list)
    history: list = field(default_factory=list)

    def add(self, loss):
        self.micro.append(loss)

    def close(self):
        self.history.append(torch.stack(self.micro).mean().item())
        self.micro.clear()


class Grader(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(7, 20)
        self.out = nn.Linear(20, 3)
        self.drop = nn.Dropout(0.1)

    def forward(self, leaf):
        return self.out(self.drop(nn.functional.gelu(self.inp(leaf))))


x = torch.randn(96, 7)
y = torch.bucketize(x[:, 0] - x[:, 3] * x[:, 4], torch.tensor([-0.7, 0.7]))
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
net, log = Grader(), EpochLog()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(100):
    for k, (leaf, grade) in enumerate(loader, 1):
        with torch.autocast("cpu", torch.bfloat16) if epoch else contextlib.nullcontext():
            loss = nn.functional.cross_entropy(net(leaf), grade)
        (loss / 2).backward()
        log.add(loss)
        if k % 2 == 0:
            opt.step()
            opt.zero_grad(set_to_none=True)
    log.close()
    if epoch % 25 == 24:
        print(epoch + 1, round(log.history[-1], 4))
