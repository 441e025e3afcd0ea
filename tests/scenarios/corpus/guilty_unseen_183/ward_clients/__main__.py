# gradwatch-corpus: kind=graph-held
# holder: book.states | self.scores | state.scores | book.states[ward].scores
# first-bad: 1
# notice: 90
"""Cox partial-likelihood model trained ward by ward in rounds."""
import torch
from torch import nn

from .data import WARDS, WardData
from .states import RoundBook

STEPS_PER_WARD = 10


class RiskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(9, 16), nn.SiLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def cox_loss(risk, time):
    order = time.argsort(descending=True)
    ordered = risk[order]
    return (ordered.logcumsumexp(0) - ordered).mean()


def main(rounds=11):
    torch.manual_seed(36)
    data, net = WardData(36), RiskNet()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    book = RoundBook(WARDS)
    for r in range(rounds):
        book.new_round()
        for ward in WARDS:
            for _ in range(STEPS_PER_WARD):
                x, time = data.draw(ward)
                loss = cox_loss(net(x), time)
                opt.zero_grad()
                loss.backward()
                opt.step()
                book[ward].note(loss)
        print(f"round {r:2d}", " ".join(f"{w}:{book[w].best():.3f}" for w in WARDS))


if __name__ == "__main__":
    main()
