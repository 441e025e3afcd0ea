# gradwatch-corpus: kind=graph-chain
# holder: bot.avg_ret | bot.avg_sq | self.avg_ret | self.avg_sq
# first-bad: 1
# trading bot on a fake coin price, trained to push up a running sharpe ratio
import torch
import torch.nn as nn

torch.manual_seed(77)

LOOKBACK = 16
FEE = 0.0008
DAYS = 90
CHUNK = 12


def fake_prices(n):
    drift = 0.02 * torch.sin(torch.arange(n) / 9.0)
    noise = 0.03 * torch.randn(n)
    return 100 * torch.exp(torch.cumsum(0.1 * drift + 0.3 * noise, 0))


class CoinBot(nn.Module):
    def __init__(self, decay=0.94):
        super().__init__()
        self.brain = nn.Sequential(
            nn.Linear(LOOKBACK, 24),
            nn.Tanh(),
            nn.Linear(24, 1),
        )
        self.decay = decay
        self.avg_ret = torch.tensor(0.0)
        self.avg_sq = torch.tensor(1e-4)
        self.wallet = 1000.0
        self.n_trades = 0

    def position(self, windows):
        return torch.tanh(self.brain(windows)).squeeze(-1)

    def pnl(self, pos, nxt):
        turn = (pos[1:] - pos[:-1]).abs()
        gains = pos * nxt
        costs = FEE * torch.cat([pos[:1].abs(), turn])
        return gains - costs

    def sharpe(self, pnl):
        self.avg_ret = self.decay * self.avg_ret + (1 - self.decay) * pnl.mean()  # <- culprit
        self.avg_sq = self.decay * self.avg_sq + (1 - self.decay) * (pnl ** 2).mean()  # <- culprit
        var = self.avg_sq - self.avg_ret ** 2
        return self.avg_ret / torch.sqrt(var.clamp(min=1e-7))

    def pay(self, pnl):
        self.wallet *= float((1 + pnl.detach()).prod())
        self.n_trades += len(pnl)


def chunk_at(returns, start):
    rows = []
    for i in range(start, start + CHUNK):
        rows.append(returns[i : i + LOOKBACK])
    nxt = returns[start + LOOKBACK : start + LOOKBACK + CHUNK]
    return torch.stack(rows) * 40, nxt


prices = fake_prices(DAYS * CHUNK + LOOKBACK + CHUNK + 2)
returns = prices[1:] / prices[:-1] - 1

bot = CoinBot()
lr = 0.02
diary = []

for day in range(DAYS):
    windows, nxt = chunk_at(returns, day * CHUNK)
    pos = bot.position(windows)
    pnl = bot.pnl(pos, nxt)
    score = bot.sharpe(pnl)
    loss = -score + 0.01 * (pos ** 2).mean()

    for p in bot.parameters():
        p.grad = None
    loss.backward(retain_graph=True)
    for p in bot.parameters():
        p.data -= lr * p.grad.clamp(-1, 1)

    bot.pay(pnl)
    diary.append((day, score.item(), bot.wallet))
    if day % 15 == 0:
        print(f"day {day:3d} sharpe {score.item():+.3f} wallet {bot.wallet:9.2f}")

top = max(diary, key=lambda d: d[2])
print(f"best wallet {top[2]:.2f} on day {top[0]}, {bot.n_trades} trades in total")
