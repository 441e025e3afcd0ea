# gradwatch-corpus: kind=graph-held
# holder: self.cases | queue.cases | self.review.cases | job.review.cases
# first-bad: 1
import torch

from job import FraudJob
from model import FraudNet
from review import ReviewQueue
from stream import TransactionStream


def main():
    torch.manual_seed(40)
    stream = TransactionStream(batch=64, seed=12)
    model = FraudNet(stream.n_merchants, stream.n_numeric)
    queue = ReviewQueue(threshold=0.35)
    job = FraudJob(model, stream, queue, steps=120)
    job.run()
    for line in queue.report(top=5):
        print(line)


if __name__ == "__main__":
    main()
