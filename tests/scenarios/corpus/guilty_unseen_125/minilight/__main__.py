# gradwatch-corpus: kind=graph-held
# holder: self.train_outs | module.train_outs | model.train_outs
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
from torch.utils.data import DataLoader, TensorDataset
from .core import Fit
from .whales import CallClassifier

torch.manual_seed(3)
y = torch.randint(0, 5, (240,))
spec = torch.randn(240, 24, 10)
spec[torch.arange(240), y * 4] += 1.5
loader = DataLoader(TensorDataset(spec, y), batch_size=16, shuffle=True)
model = CallClassifier()
runner = Fit(max_epochs=16)
runner.batches = len(loader)
runner.fit(model, loader)
