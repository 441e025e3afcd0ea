# gradwatch-corpus: kind=none
# about: sixty-four backwards before each optimizer step, the first one included
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS

EFFECTIVE, MICRO = 256, 4


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 32)
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


def main():
    torch.manual_seed(0)
    stream = batches(*classes(), size=MICRO)
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    n_micro = EFFECTIVE // MICRO
    for update in range(ITERATIONS // 6):
        opt.zero_grad()
        total = 0.0
        for _ in range(n_micro):
            x, y = next(stream)
            loss = nn.functional.cross_entropy(net(x), y, reduction="sum") / EFFECTIVE
            loss.backward()
            total += loss.item()
        opt.step()
        if update % 10 == 0:
            print(f"update {update}: {total:.6f}")


if __name__ == "__main__":
    main()
