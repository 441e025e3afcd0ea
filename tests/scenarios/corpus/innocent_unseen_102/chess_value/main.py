# gradwatch-corpus: kind=none
"""Value net for a toy board game; learning rate set by the trend of recent losses."""
import torch

from trainer import fit
from config import Config

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(Config.seed)
    history = fit(Config())
    print("last window:", [round(v, 4) for v in history.tail_values(5)])
