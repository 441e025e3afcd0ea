# gradwatch-corpus: kind=graph-held
# holder: hidden | h | feature | tensor
# about: a tensor's own hook captures that tensor: a cycle through C++ that nothing ever frees
import torch
from torch import nn

correlations = []


def probe(hidden):
    """Correlates a hidden layer with its gradient."""

    def hook(grad):
        a, g = hidden.detach().flatten(), grad.flatten()
        correlations.append(torch.dot(a, g).item() / (a.norm() * g.norm() + 1e-9).item())

    hidden.register_hook(hook)  # <- culprit
    return hidden


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 20)
        self.second = nn.Linear(20, 2)

    def forward(self, x):
        return self.second(probe(torch.tanh(self.first(x))))


def main():
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(60):
        x = torch.randn(8, 10)
        loss = nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(sum(correlations) / len(correlations))


if __name__ == "__main__":
    main()
