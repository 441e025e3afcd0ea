# gradwatch-corpus: kind=graph-held
# holder: meters["recon"] | board.meters | board.meters["recon"] | self.meters | self.meters["recon"] | mean | gen | level | job.board.meters['recon']
# first-bad: 1
# notice: 8
"""Vibration auto-encoder for gearbox monitoring; the alarm level follows the running error."""
import torch

from signals import windows
from watch import TurbineWatch


def main():
    torch.set_num_threads(1)
    torch.manual_seed(55)
    job = TurbineWatch(n_in=24, lr=2e-3)
    for i, batch in enumerate(windows(240)):
        job.tick(batch)
        if i % 60 == 59:
            print(i, job.board.show())
    print("alarms raised:", job.alarms)


if __name__ == "__main__":
    main()
