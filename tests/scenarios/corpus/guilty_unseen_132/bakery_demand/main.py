# gradwatch-corpus: kind=graph-held
# holder: self.sum | meters["loss"].sum | meter.sum | self.avg | meters["loss"].avg
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from model import ShopNet
from stats import AverageMeter, daily_sales

torch.manual_seed(55)
sales = daily_sales(shops=6, days=400)
net = ShopNet(shops=6)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
meters = {"loss": AverageMeter("loss"), "mape": AverageMeter("mape")}

for it in range(600):
    shop = torch.randint(0, 6, (16,))
    day = torch.randint(7, 399, (16,))
    past = torch.stack([sales[s, d - 7:d] for s, d in zip(shop.tolist(), day.tolist())])
    truth = sales[shop, day]
    guess = net(shop, past)
    loss = torch.nn.functional.poisson_nll_loss(guess, truth)

    opt.zero_grad()
    loss.backward()
    opt.step()

    ape = ((guess.exp() - truth).abs() / truth.clamp(min=1)).mean().item()
    meters["loss"].update(loss, len(truth))
    meters["mape"].update(ape, len(truth))
    if it % 100 == 0:
        print(it, *[f"{m.name}={float(m.avg):.3f}" for m in meters.values()])
