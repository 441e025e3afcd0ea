# gradwatch-corpus: kind=none
import torch

from .loop import CatalogLoop
from .tree import CategoryTree

torch.set_num_threads(1)
torch.manual_seed(32)

loop = CatalogLoop(CategoryTree(depth=3, fan=2), dim=6)

if __name__ == "__main__":
    print(round(loop.run(600), 4))
