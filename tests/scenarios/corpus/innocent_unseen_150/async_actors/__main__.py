# gradwatch-corpus: kind=none
"""Bandit ad auction: asynchronous bidders send rollouts with gradients, one learner sums and walks them."""
import asyncio

import torch

from .learner import Learner
from .bidder import Bidder

torch.manual_seed(45)
torch.set_num_threads(1)


async def main():
    inbox = asyncio.Queue(maxsize=8)
    learner = Learner(inbox, bidders=5)
    bidders = [Bidder(i, learner.policy, inbox, learner.turn) for i in range(5)]
    tasks = [asyncio.create_task(b.play()) for b in bidders]
    await learner.train(updates=120)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print("done", learner.updates)


asyncio.run(main())
