# gradwatch-corpus: kind=graph-held
# holder: self.pending | scribe.pending | forecaster.scribe.pending
# first-bad: 1
# notice: 8
"""Zone-level ride demand forecaster; metrics are written by an asyncio scribe next to the training task."""
import asyncio

import torch

from forecaster import Forecaster
from scribe import Scribe


async def amain():
    torch.manual_seed(21)
    scribe = Scribe(sections=("fit", "calendar"))
    forecaster = Forecaster(zones=8, scribe=scribe)
    await forecaster.train(hours=360)
    for name, line in (await scribe.close()).items():
        print(f"{name:10s} {line}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    asyncio.run(amain())
