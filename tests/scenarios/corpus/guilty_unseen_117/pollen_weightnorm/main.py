# gradwatch-corpus: kind=second-backward
# holder: self.weight | net.fc1.weight | net.fc2.weight | net.out.weight
# first-bad: 1
# notice: 0

# pollen count forecast. weight normalisation by hand (exercise 4 of the course:
# "implement Salimans & Kingma 2016, do not use torch.nn.utils.weight_norm")
import torch
import torch.nn as nn
from wn import WNLinear
import pollen_data

torch.set_num_threads(1)


class PollenNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = WNLinear(pollen_data.N_FEAT, 24)
        self.fc2 = WNLinear(24, 24)
        self.out = WNLinear(24, 1)
        self.act = nn.ELU()

    def forward(self, x):
        x = self.act(self.fc1(x))
        x = self.act(self.fc2(x))
        return self.out(x).squeeze(1)


def train_one_epoch(net, loader, optimizer, criterion):
    s = 0.0
    for i, (x, y) in enumerate(loader):
        yhat = net(x)
        loss = criterion(yhat, torch.log1p(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        s += loss.item()
        if i == 0:
            print('first batch loss', loss.item())
    return s / len(loader)


def main():
    torch.manual_seed(17)
    loader = pollen_data.get_loader(32)
    net = PollenNet()
    print(net)
    print('parameters:', sum(p.numel() for p in net.parameters()))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    criterion = nn.L1Loss()
    for epoch in range(20):
        l = train_one_epoch(net, loader, optimizer, criterion)
        print('epoch %d: %.4f' % (epoch, l))
    # compare with torch
    for n, m in net.named_modules():
        if isinstance(m, WNLinear):
            print(n, 'row norms', m.weight.norm(dim=1)[:3].tolist(), 'g', m.g[:3].flatten().tolist())


if __name__ == '__main__':
    main()
