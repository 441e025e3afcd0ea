# gradwatch-corpus: kind=none
import torch
from torch import nn

from accumulate import Accumulator, AccumulatorConfig
from tasks import ParityLike


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, 2))

    def forward(self, x):
        return self.layers(x)


class Job:
    def __init__(self, seed, config):
        torch.manual_seed(seed)
        self.task = ParityLike(10, seed)
        self.net = Net(10)
        opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3)
        self.acc = Accumulator(opt, config)
        self.criterion = nn.CrossEntropyLoss()

    def run(self, micro_steps):
        for x, y in self.task.stream(micro_steps):
            with self.acc.micro() as micro:
                micro.loss = self.criterion(self.net(x), y)
        return self.acc.curve


if __name__ == "__main__":
    curve = Job(2, AccumulatorConfig(every=4)).run(800)
    print(len(curve), round(curve[0], 4), round(curve[-1], 4))
