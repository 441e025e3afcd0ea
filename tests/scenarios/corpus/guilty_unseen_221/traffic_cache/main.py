# gradwatch-corpus: kind=graph-held
# holder: TimeEncoder.encode | self.encode | model.time.encode
# first-bad: 1
import torch

from gcn import SpeedGCN
from roads import RoadNetwork

START = 6 * 60
END = 10 * 60
EVERY = 2


def main():
    torch.manual_seed(4)
    roads = RoadNetwork()
    model = SpeedGCN(roads.adj)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    sq_sum = 0.0
    count = 0
    for minute in range(START, END, EVERY):
        now, nxt = roads.snapshot(minute)
        out = model(now, minute)
        loss = torch.nn.functional.l1_loss(out, nxt)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sq_sum += loss.item()
        count += 1
        if minute % 60 == 0:
            print("%02d:00  mae so far %.4f" % (minute // 60, sq_sum / count))
            sq_sum = 0.0
            count = 0
    with torch.no_grad():
        now, nxt = roads.snapshot(END)
        err = (model(now, END) - nxt).abs().mean()
    print("mae at the end", err.item())


if __name__ == "__main__":
    main()
