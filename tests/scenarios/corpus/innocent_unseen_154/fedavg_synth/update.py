import copy

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset


class LocalUpdate:
    def __init__(self, dataset, idxs, lr=0.05, epochs=1):
        self.loader = DataLoader(Subset(dataset, idxs), batch_size=16, shuffle=True)
        self.lr, self.epochs = lr, epochs

    def train(self, net):
        net.train()
        optimizer = torch.optim.SGD(net.parameters(), lr=self.lr, momentum=0.5)
        epoch_loss = []
        for _ in range(self.epochs):
            batch_loss = []
            for x, y in self.loader:
                net.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                optimizer.step()
                batch_loss.append(loss.item())
            epoch_loss.append(sum(batch_loss) / len(batch_loss))
        return net.state_dict(), sum(epoch_loss) / len(epoch_loss)


def fed_avg(w):
    w_avg = copy.deepcopy(w[0])
    for k in w_avg.keys():
        for i in range(1, len(w)):
            w_avg[k] += w[i][k]
        w_avg[k] = torch.div(w_avg[k], len(w))
    return w_avg
