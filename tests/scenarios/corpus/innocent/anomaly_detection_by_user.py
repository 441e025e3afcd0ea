# gradwatch-corpus: kind=none
# about: the script uses anomaly detection itself, in the first iterations, later in one of twenty,
# about: and catches the error of a NaN; what it finds the mode to be must be what it has set
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(16, 32), nn.Linear(32, 4)
        self.poison = False

    def forward(self, x):
        h = torch.relu(self.a(x))
        if self.poison:
            h = h * torch.sqrt(h.detach() * 0 + (self.a.bias * 0).sum())
        return self.b(h)


def step(net, optimizer, x, y):
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    stream, net = batches(*classes(), size=32), Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    caught, modes = 0, set()
    for n in range(ITERATIONS):
        x, y = next(stream)
        watched = n < 4 or n % 20 == 0
        net.poison = watched and n % 3 == 1
        if watched:
            with torch.autograd.detect_anomaly():
                modes.add((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
                try:
                    loss = step(net, optimizer, x, y)
                except RuntimeError as error:
                    caught += "nan values" in str(error)
        else:
            loss = step(net, optimizer, x, y)
            modes.add((n > 10 and torch.is_anomaly_enabled(), None))
        if n % 50 == 0:
            print(f"{n}: {loss:.6f} caught {caught}")
    print(sorted(modes, key=str), torch.is_anomaly_enabled())


if __name__ == "__main__":
    main()
