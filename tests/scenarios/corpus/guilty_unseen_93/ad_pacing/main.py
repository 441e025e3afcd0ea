# gradwatch-corpus: kind=graph-chain
# holder: self.spent | ledger.spent | self.ledger.spent | auctioneer.ledger.spent
# first-bad: 121
# notice: 5
import torch

from auctions import Market
from bidder import Auctioneer, LinearBidder
from ledger import Ledger

torch.set_num_threads(1)

ROUNDS = 360
EXPLORE = 120


def train():
    torch.manual_seed(404)
    market = Market(n_campaigns=12, n_features=7, seed=5)
    bidder = LinearBidder(7)
    ledger = Ledger(12, daily_budget=40.0, rounds=ROUNDS)
    auctioneer = Auctioneer(bidder, ledger)
    opt = torch.optim.SGD(bidder.parameters(), lr=0.01, momentum=0.8)

    for t in range(ROUNDS):
        slot = market.next_slot()
        pacing = t >= EXPLORE
        loss, stats = auctioneer.play(slot, t, pacing)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=pacing)
        torch.nn.utils.clip_grad_norm_(bidder.parameters(), 1.0)
        opt.step()
        if t % 60 == 59:
            print(f"round {t + 1:4d}  value {stats['value']:.3f}  "
                  f"spent {stats['spent']:.2f}  won {stats['won']:.2f}")


if __name__ == "__main__":
    train()
