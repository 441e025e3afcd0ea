# gradwatch-corpus: kind=graph-held
# holder: slot.vec | self.slots | bank.slots | self.slots[user] | self.slots[user].vec | bank.slots[user].vec | net.bank.slots | self.bank.slots
# first-bad: 1
# notice: 8
"""Cold-start recommendation: profiles of new users are inferred from a few ratings,
and blended with those of the most similar users seen before."""
import torch

from bank import ProfileBank
from model import ColdStartNet
from stream import NewUsers


class RunningMean:
    def __init__(self, window=40):
        self.window, self.vals = window, []

    def push(self, v):
        self.vals.append(float(v))
        self.vals = self.vals[-self.window:]

    def __float__(self):
        return sum(self.vals) / len(self.vals)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    users = NewUsers(n_items=120, dim=6)
    bank = ProfileBank(capacity=20_000)
    net = ColdStartNet(n_items=120, dim=16, bank=bank)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    avg = RunningMean()
    for step in range(260):
        batch = users.arrivals(16, support=6, query=8)
        pred = net(batch)
        loss = torch.nn.functional.smooth_l1_loss(pred, batch.query_y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg.push(loss.detach())
        if (step + 1) % 65 == 0:
            print(f"step {step + 1} loss {float(avg):.4f} users in bank {len(bank)}")


if __name__ == "__main__":
    main()
