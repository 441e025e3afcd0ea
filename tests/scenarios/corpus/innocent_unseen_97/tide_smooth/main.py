# gradwatch-corpus: kind=none
"""Tide-gauge correction; the correction must be smooth over the recent readings."""
import torch

from callbacks import EVENTS, Progress
from gauge import readings
from smooth import RecentSpan, roughness


def main():
    torch.set_num_threads(1)
    torch.manual_seed(151)
    corr = torch.nn.Linear(8, 3)
    opt = torch.optim.SGD(corr.parameters(), lr=0.01)
    span = RecentSpan(width=24)
    Progress(every=75)
    for it, (features, level) in enumerate(readings(350)):
        span << corr(features)
        loss = (span.newest - level).pow(2).mean() + 0.3 * roughness(span)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        EVENTS["step"](it, loss.detach())


if __name__ == "__main__":
    main()
