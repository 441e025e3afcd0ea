# gradwatch-corpus: kind=none
import torch

from .train import Trainer

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(12)
    Trainer().fit(120)
