# gradwatch-corpus: kind=graph-held
# holder: meters["loss"].sum | meters | meters["loss"] | self.sum
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(21)

from torch.utils.data import DataLoader, TensorDataset
from utils import AverageMeter
from net import PriceNet, PinballLoss


def train(loader, net, crit, opt, meters, epoch):
    for rooms, price in loader:
        q = net(rooms)
        loss = crit(q, price)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        inside = ((price >= q[:, :1]) & (price <= q[:, 2:])).float().mean()
        meters["loss"].update(loss, rooms.size(0))
        meters["coverage"].update(inside.item(), rooms.size(0))
    if epoch % 10 == 0:
        print(epoch, meters["loss"], meters["coverage"])


X = torch.rand(256, 6)
y = X @ torch.rand(6, 1) + 0.2 * torch.randn(256, 1)
loader = DataLoader(TensorDataset(X, y), batch_size=16, shuffle=True)
net, crit = PriceNet(), PinballLoss([0.1, 0.5, 0.9])
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
meters = {"loss": AverageMeter("pinball"), "coverage": AverageMeter("cov")}
for epoch in range(30):
    train(loader, net, crit, opt, meters, epoch)
