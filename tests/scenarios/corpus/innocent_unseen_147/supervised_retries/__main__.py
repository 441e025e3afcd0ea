# gradwatch-corpus: kind=none
import torch

from .journal import Journal
from .worker import ToolWearWorker

torch.set_num_threads(1)
torch.manual_seed(83)

journal = Journal(last=5)
worker = ToolWearWorker(journal)

if __name__ == "__main__":
    worker.run(500)
    print(journal.text())
