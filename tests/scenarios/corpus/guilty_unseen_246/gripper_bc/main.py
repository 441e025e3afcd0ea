# gradwatch-corpus: kind=graph-held
# holder: self.series | self.series[name] | monitor.series | trainer.monitor.series | self.monitor.series
# first-bad: 1
import torch

from demos import DemoSet
from monitor import ActivationMonitor
from policy import GripperPolicy
from trainer import BcTrainer


def main():
    torch.manual_seed(41)
    policy = GripperPolicy(joints=7, hidden=64)
    monitor = ActivationMonitor(watch=("trunk.0", "trunk.2", "arm"))
    monitor.attach(policy)
    trainer = BcTrainer(policy, DemoSet(count=512, joints=7), monitor, lr=1e-3)
    trainer.fit(epochs=10)
    monitor.close()
    for name, stats in monitor.report().items():
        print(name, f"first {stats['first']:.3f} last {stats['last']:.3f}")


if __name__ == "__main__":
    main()
