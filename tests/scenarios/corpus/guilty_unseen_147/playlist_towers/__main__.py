# gradwatch-corpus: kind=second-backward
# holder: self.smoothness | self.__dict__["smoothness"] | model.tracks.smoothness | tracks.smoothness
# first-bad: 1
# notice: 0
import torch

from .fit import fit
from .towers import TwoTower

torch.set_num_threads(1)
torch.manual_seed(19)

model = TwoTower(users=20, tracks=30, dim=6)

if __name__ == "__main__":
    fit(model, steps=300)
