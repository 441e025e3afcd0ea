import torch
import torch.nn.functional as F
from torch import nn


class LinearBidder(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.score = nn.Linear(n_features, 1)

    def forward(self, x):
        return F.softplus(self.score(x)).squeeze(1)


class Auctioneer:
    def __init__(self, bidder, ledger, sharpness=6.0, pace_weight=0.05):
        self.bidder = bidder
        self.ledger = ledger
        self.sharpness = sharpness
        self.pace_weight = pace_weight

    def play(self, slot, t, pacing):
        bid = self.bidder(slot.features)
        p_win = torch.sigmoid(self.sharpness * (bid - slot.floor))
        price = p_win * slot.floor
        value = (p_win * slot.worth - price).mean()
        loss = -value
        if pacing:
            self.ledger.charge(price)  # <- culprit
            loss = loss + self.pace_weight * self.ledger.deviation(t)
        else:
            self.ledger.charge(price.detach())
        return loss, {
            "value": value.item(),
            "spent": float(self.ledger.spent.mean().detach()),
            "won": float(p_win.mean().detach()),
        }
