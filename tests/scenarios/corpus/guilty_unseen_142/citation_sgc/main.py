# gradwatch-corpus: kind=second-backward
# holder: self._cached | self.prop._cached | net.prop._cached | model.prop._cached
# first-bad: 1
# notice: 0
import torch
import torch.nn.functional as F
torch.set_num_threads(1)
from layers import CitationNet
from graphs import planted


def accuracy(net, x, adj, y, mask):
    net.eval()
    with torch.no_grad():
        hit = (net(x, adj).argmax(1) == y)[mask].float().mean().item()
    net.train()
    return hit


def main():
    torch.manual_seed(6)
    x, adj, y, train = planted(40, 3)
    net = CitationNet(x.size(1), 10, 3)
    opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
    best, patience = 0.0, 20
    for epoch in range(300):
        opt.zero_grad()
        loss = F.cross_entropy(net(x, adj)[train], y[train])
        loss.backward()
        opt.step()
        acc = accuracy(net, x, adj, y, ~train)
        best, patience = (acc, 20) if acc > best else (best, patience - 1)
        print(epoch, loss.item(), acc)
        if not patience:
            break


main()
