# gradwatch-corpus: kind=graph-chain
# holder: book | desk["book"] | holdings
# first-bad: 1
# notice: 5
"""Online portfolio: a linear signal model learns target weights, the book moves a
tenth of the way to the target each day and pays for the turnover."""
import torch

torch.set_num_threads(1)
gen = torch.Generator().manual_seed(77)
torch.manual_seed(77)

ASSETS, FACTORS, DAYS = 5, 7, 330
SPEED, FEE = 0.1, 0.002

loadings = torch.randn(FACTORS, ASSETS, generator=gen) * 0.01


def market(days):
    for _ in range(days):
        signal = torch.randn(FACTORS, generator=gen)
        ret = signal @ loadings + 0.005 * torch.randn(ASSETS, generator=gen)
        yield signal, ret.clamp(-0.2, 0.2)


def trade(holdings, target):
    new = (1 - SPEED) * holdings + SPEED * target  # <- culprit
    turnover = (new - holdings).abs().sum()
    return new, turnover


def utility(w, ret, turnover, gamma=3.0):
    pnl = (w * ret).sum()
    return torch.log1p(pnl) - FEE * turnover - gamma * pnl ** 2


signal_model = torch.nn.Linear(FACTORS, ASSETS)
optim = torch.optim.Adam(signal_model.parameters(), lr=0.02)
book = torch.full((ASSETS,), 1.0 / ASSETS)
wealth, curve = 1.0, []

for day, (signal, ret) in enumerate(market(DAYS)):
    target = torch.softmax(signal_model(signal), dim=0)
    book, turnover = trade(book, target)  # <- culprit
    loss = -utility(book, ret, turnover) * 100
    optim.zero_grad()
    loss.backward(retain_graph=True)
    optim.step()

    with torch.no_grad():
        wealth *= 1 + float((book * ret).sum()) - FEE * float(turnover)
    curve.append(wealth)
    if (day + 1) % 66 == 0:
        top = int(book.argmax())
        print(f"day {day + 1:3d}  wealth {wealth:.4f}  largest holding #{top} at {book[top].item():.1%}")

peak, drawdown = 0.0, 0.0
for v in curve:
    peak = max(peak, v)
    drawdown = max(drawdown, 1 - v / peak)
print(f"max drawdown {drawdown:.2%}")
