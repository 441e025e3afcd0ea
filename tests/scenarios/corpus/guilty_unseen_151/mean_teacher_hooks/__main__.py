# gradwatch-corpus: kind=graph-chain
# holder: self.avg | runner.ema.avg | self.ema.avg | teacher_params
# first-bad: 1
import torch

from . import Runner

cfg = dict(
    model=dict(type="MeanTeacher", in_dim=12, num_classes=4, consistency=2.0),
    hooks=[dict(type="EMAHook", momentum=0.05), dict(type="LoggerHook", interval=20)],
    max_iters=80,
)


def infinite_loader(batch=16, dim=12):
    proto = torch.randn(4, dim)
    while True:
        y = torch.randint(0, 4, (batch,))
        u = torch.randint(0, 4, (batch * 2,))
        yield proto[y] + torch.randn(batch, dim), y, proto[u] + torch.randn(batch * 2, dim)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(3)
    Runner(**cfg).train(infinite_loader())
