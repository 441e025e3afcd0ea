# gradwatch-corpus: kind=graph-held
# holder: self.store | self.cache.store | model.cache.store | cache.store
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)

from .model import GRU4Rec
from .stream import sessions


def top1_max(scores, target):
    pos = scores.gather(1, target[:, None])
    weight = scores.softmax(1)
    return (weight * (torch.sigmoid(scores - pos) + torch.sigmoid(scores ** 2))).sum(1).mean()


def main():
    torch.manual_seed(31)
    model = GRU4Rec(n_items=50, dim=20)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for n, (ids, clicks, nxt) in enumerate(sessions(450)):
        scores = model(ids, clicks)
        loss = top1_max(scores, nxt)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n % 90 == 0:
            again = model.lookup(ids[:2])
            print(n, round(loss.item(), 4), tuple(again.shape))


if __name__ == "__main__":
    main()
