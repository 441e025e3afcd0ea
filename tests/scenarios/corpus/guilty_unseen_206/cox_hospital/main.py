# gradwatch-corpus: kind=graph-held
# holder: self.by_site | board.by_site
# first-bad: 1
import torch
from cohort import make_cohort, draw
from hazard import HazardNet, cox_partial_loss
from board import SiteBoard


def fit(steps=500, seed=3):
    torch.manual_seed(seed)
    cohort = make_cohort(n=900, features=14, sites=4)
    net = HazardNet(14)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    board = SiteBoard(["north", "south", "east", "west"])
    gen = torch.Generator().manual_seed(seed)
    for step in range(steps):
        site = step % 4
        x, time, event = draw(cohort, site, 48, gen)
        risk = net(x)
        loss = cox_partial_loss(risk, time, event)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        board.note(site, loss.item(), risk, event)
        if step % 100 == 99:
            print(step, board.summary())
    return net


if __name__ == "__main__":
    fit()
