# gradwatch-corpus: kind=graph-chain
# holder: self.centre | anchors.centre | model.anchors.centre | job.model.anchors.centre
# first-bad: 1
# notice: 5
import torch

from job import JobSpec, ShelfJob

torch.set_num_threads(1)
torch.manual_seed(21)

job = ShelfJob(JobSpec(classes=6, dim=8, batches=300))

if __name__ == "__main__":
    job.execute()
    print("accuracy", job.accuracy())
