# gradwatch-corpus: kind=graph-chain
# holder: BASELINE | BASELINE.get() | baseline
# first-bad: 1
import asyncio
import contextvars

import torch
import torch.nn.functional as F
from torch import nn

BASELINE = contextvars.ContextVar("baseline", default=None)
DECAY = 0.95
SPREAD = 0.1


async def feed(name, queue, n, seed):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(4, 16, generator=torch.Generator().manual_seed(100)) * 1.5
    for _ in range(n):
        label = torch.randint(0, 4, (20,), generator=g)
        await queue.put((name, centres[label] + torch.randn(20, 16, generator=g), label))
        await asyncio.sleep(0)
    await queue.put(None)


def update_baseline(loss):
    baseline = BASELINE.get()
    if baseline is None:
        baseline = loss.detach()
    baseline = DECAY * baseline + (1 - DECAY) * loss  # <- culprit
    BASELINE.set(baseline)  # <- culprit
    return baseline


async def learn(queue, n_feeds, model, opt):
    open_feeds = n_feeds
    step = 0
    counts = {}
    while open_feeds:
        item = await queue.get()
        if item is None:
            open_feeds -= 1
            continue
        name, x, label = item
        counts[name] = counts.get(name, 0) + 1
        loss = F.cross_entropy(model(x), label)
        spread = (loss - update_baseline(loss)).abs()  # <- culprit
        objective = loss + SPREAD * spread
        opt.zero_grad()
        objective.backward(retain_graph=True)
        opt.step()
        if step % 30 == 0:
            print(f"[{name}] step {step:3d} loss {loss.item():.3f} spread {spread.item():.3f}")
        step += 1
    return counts


async def main():
    torch.manual_seed(0)
    queue = asyncio.Queue(maxsize=4)
    model = nn.Linear(16, 4)
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    feeds = [asyncio.create_task(feed(f"feed{k}", queue, 50, seed=k)) for k in range(2)]
    counts = await learn(queue, len(feeds), model, opt)
    await asyncio.gather(*feeds)
    print("batches per feed:", counts)


if __name__ == "__main__":
    asyncio.run(main())
