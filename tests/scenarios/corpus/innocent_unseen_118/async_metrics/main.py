# gradwatch-corpus: kind=none
import asyncio

import torch

from consumers import MetricConsumer, WeightNormConsumer
from producer import TrainLoop


async def main():
    torch.set_num_threads(1)
    torch.manual_seed(55)
    loop = TrainLoop(steps=340)
    metric = MetricConsumer(maxsize=6)
    norms = WeightNormConsumer(maxsize=6, module=loop.model)
    tasks = [asyncio.create_task(c.consume()) for c in (metric, norms)]
    await loop.run([metric.queue, norms.queue])
    await asyncio.gather(*tasks)
    print("messages", metric.count, norms.count)


if __name__ == "__main__":
    asyncio.run(main())
