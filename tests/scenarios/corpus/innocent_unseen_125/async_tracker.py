# gradwatch-corpus: kind=none
import asyncio
import statistics
import torch
from torch import nn

torch.set_num_threads(1)


class AsyncTracker:
    def __init__(self, maxsize=8):
        self.q = asyncio.Queue(maxsize=maxsize)
        self.hist = {}

    async def consume(self):
        while (item := await self.q.get()) is not None:
            step, scalars = item
            for k, v in scalars.items():
                self.hist.setdefault(k, []).append(v.item())
            await asyncio.sleep(0)

    async def put(self, step, **scalars):
        await self.q.put((step, scalars))


class MixtureDensity(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.h, self.o, self.k = nn.Linear(1, 16), nn.Linear(16, 3 * k), k

    def nll(self, x, y):
        logit, mu, ls = self.o(torch.tanh(self.h(x))).chunk(3, -1)
        comp = -0.5 * ((y - mu) / ls.exp()).pow(2) - ls
        return -(logit.log_softmax(-1) + comp).logsumexp(-1).mean(), ls


async def train(tr, steps):
    net = MixtureDensity()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for s in range(steps):
        y = torch.rand(24, 1) * 2 - 1
        x = y + 0.4 * torch.sin(6 * y) + 0.03 * torch.randn_like(y)
        nll, ls = net.nll(x, y)
        opt.zero_grad()
        nll.backward()
        opt.step()
        await tr.put(s, nll=nll, spread=ls.exp().mean())
    await tr.q.put(None)


async def main():
    torch.manual_seed(40)
    tr = AsyncTracker()
    await asyncio.gather(tr.consume(), train(tr, 700))
    for k, v in tr.hist.items():
        print(k, len(v), round(statistics.fmean(v[-50:]), 4))


asyncio.run(main())
