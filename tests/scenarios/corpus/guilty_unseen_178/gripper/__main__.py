# gradwatch-corpus: kind=graph-held
# holder: self.weighted | tracker.weighted | meter.weighted | metrics.metrics['bc'].weighted
# first-bad: 1
import torch

from .agent import GripperAgent
from .demos import DemoBuffer
from .metrics import MetricCollection, WeightedMean, Peak


def main():
    torch.manual_seed(3)
    demos = DemoBuffer(count=512)
    metrics = MetricCollection(bc=WeightedMean(), reg=WeightedMean(), force=Peak())
    agent = GripperAgent(metrics)
    for step in range(480):
        agent.learn(demos.minibatch(32))
        if step % 120 == 119:
            print(step + 1, metrics.compute())


if __name__ == "__main__":
    main()
