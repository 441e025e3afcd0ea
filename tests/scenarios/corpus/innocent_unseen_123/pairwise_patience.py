# gradwatch-corpus: kind=none
# Bakery sales: training as a lazy stream of losses; consecutive ones are compared two at a time.
from itertools import islice, pairwise

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(90)


class Sales(nn.Module):
    def __init__(self):
        super().__init__()
        self.weekday = nn.Embedding(7, 4)
        self.mix = nn.Linear(6, 3)

    def forward(self, day, weather):
        return nn.functional.softplus(self.mix(torch.cat([self.weekday(day), weather], -1)))


def stream(model, opt):
    factor = torch.rand(7, 3) * 2
    while True:
        day = torch.randint(0, 7, (20,))
        weather = torch.randn(20, 2)
        sold = torch.poisson(factor[day] + weather[:, :1].relu())
        loss = nn.functional.poisson_nll_loss(model(day, weather), sold, log_input=False)
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss


model = Sales()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
worse = 0
for n, (before, now) in enumerate(pairwise(islice(stream(model, opt), 2400)), 1):
    worse += int(now.item() > before.item())
    if n % 600 == 0:
        print(n, "loss", round(now.item(), 3), "share of rises", round(worse / n, 3))
        for group in opt.param_groups:
            group["lr"] *= 0.7
