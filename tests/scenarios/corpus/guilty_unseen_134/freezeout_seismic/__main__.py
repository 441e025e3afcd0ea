# gradwatch-corpus: kind=crashed
# holder: group | param
# first-bad: 205
# notice: 0
import torch

torch.set_num_threads(1)

from .nets import PhasePicker
from .loop import Fitter

torch.manual_seed(8)
fitter = Fitter(PhasePicker(channels=3, width=10), total=300)
fitter.fit()
