# gradwatch-corpus: kind=second-backward
# holder: self.mixing | model.stops.mixing
# first-bad: 1
# notice: 0
"""Delay spread over a bus network; run with  python -m busnet"""
import torch

torch.set_num_threads(1)

from .layers import DelayModel
from .feed import DelayFeed


def main(seed=19):
    torch.manual_seed(seed)
    feed = DelayFeed(stops=9)
    model = DelayModel(stops=9)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for minute in range(240):
        now, later = feed.next(10)
        loss = (model(now) - later).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if minute % 60 == 0:
            print(minute, loss.item())


main()
