# gradwatch-corpus: kind=inplace-modified
# about: an in-place activation overwrites what tanh has saved for its backward
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(10, 32)
        self.fc2 = nn.Linear(32, 4)
        self.act = nn.ReLU(inplace=True)  # <- culprit

    def forward(self, x):
        h = torch.tanh(self.fc1(x))
        h = self.act(h)  # <- culprit
        return self.fc2(h)


def main():
    torch.manual_seed(0)
    model = Encoder()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(8, 10)
        loss = nn.functional.cross_entropy(model(x), torch.randint(0, 4, (8,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
