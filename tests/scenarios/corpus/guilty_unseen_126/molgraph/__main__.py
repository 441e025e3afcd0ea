# gradwatch-corpus: kind=second-backward
# holder: net.adj | self.adj | trainer.net.adj
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(55)

from .gnn import SensorGNN


class Trainer:
    def __init__(self, n_nodes=10):
        self.net = SensorGNN(n_nodes, 3, 12)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)

    def batch(self):
        x = torch.randn(8, 10, 3)
        return x, x.roll(1, dims=1).sum(-1).tanh()

    def fit(self, n):
        for k in range(n):
            x, y = self.batch()
            err = (self.net(x) - y).pow(2).mean()
            self.opt.zero_grad()
            err.backward()
            self.opt.step()
            if k % 50 == 0:
                print(k, err.item())


trainer = Trainer()
trainer.fit(400)
