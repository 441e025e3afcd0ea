# gradwatch-corpus: kind=memory-climb
# holder: self.states | train.states
# first-bad: 1
# notice: 200
# after: choderalab/pinot #23 "memory leak in pinot.TrainAndTest?" (states of every iterate kept)
"""Binding affinity from fingerprints: train, keep the iterates, test by the average of some of them."""
import copy

import torch
import torch.nn as nn


class Net(nn.Module):
    """Fingerprint -> (mean, log variance) of the measured affinity."""

    def __init__(self, bits=512, units=256):
        super(Net, self).__init__()
        self.representation = nn.Sequential(
            nn.Linear(bits, units), nn.ReLU(),
            nn.Linear(units, units), nn.ReLU(),
        )
        self.parameterization = nn.Linear(units, 2)

    def condition(self, x):
        mu, log_sigma = self.parameterization(self.representation(x)).unbind(-1)
        return torch.distributions.Normal(mu, log_sigma.clamp(-4, 2).exp())

    def loss(self, x, y):
        return -self.condition(x).log_prob(y).mean()


class Train:
    """Training experiment.

    Attributes
    ----------
    states : dict, state dictionaries of the model after each batch, and 'final'.
    """

    def __init__(self, net, data, optimizer, n_epochs=10):
        self.net = net
        self.data = data
        self.optimizer = optimizer
        self.n_epochs = n_epochs
        self.states = {}
        self.losses = []

    def train_once(self, epoch):
        for i, (x, y) in enumerate(self.data):
            self.optimizer.zero_grad()
            loss = self.net.loss(x, y)
            loss.backward()
            self.optimizer.step()
            self.losses.append(loss.item())
            self.states[(epoch, i)] = copy.deepcopy(self.net.state_dict())  # <- culprit

    def train(self):
        for epoch in range(self.n_epochs):
            self.train_once(epoch)
            tail = self.losses[-len(self.data):]
            print('epoch %d  nll %.4f' % (epoch, sum(tail) / len(tail)))
        self.states['final'] = copy.deepcopy(self.net.state_dict())
        return self.net


class Test:
    """Negative log-likelihood and RMSE of chosen states."""

    def __init__(self, net, data, states):
        self.net = net
        self.data = data
        self.states = states

    @torch.no_grad()
    def test(self):
        for name, state in self.states.items():
            self.net.load_state_dict(state)
            x, y = self.data
            dist = self.net.condition(x)
            rmse = (dist.mean - y).pow(2).mean().sqrt().item()
            print('state %-10s nll %.4f rmse %.4f' % (name, -dist.log_prob(y).mean().item(), rmse))


def assay(n, w, g):
    x = (torch.rand(n, 512, generator=g) < 0.1).float()
    return x, torch.tanh(x @ w) + 0.1 * torch.randn(n, generator=g)


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    w = 0.3 * torch.randn(512, generator=g)
    x, y = assay(26 * 192, w, g)
    batches = list(zip(x.split(192), y.split(192)))
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    train = Train(net, batches, optimizer, n_epochs=10)
    train.train()
    chosen = {'%d' % e: train.states[(e, len(batches) - 1)] for e in (0, 4, 9)}
    chosen['final'] = train.states['final']
    Test(net, assay(500, w, g), chosen).test()


if __name__ == '__main__':
    main()
