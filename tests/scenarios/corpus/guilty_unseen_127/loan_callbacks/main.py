# gradwatch-corpus: kind=crashed
# first-bad: 30
# notice: 0
import torch
from torch import nn

from engine import Engine
from reports import Calibration, Progress

torch.set_num_threads(1)
torch.manual_seed(18)


def applicants(n):
    x = torch.randn(n, 8)
    default = (x[:, 0] * x[:, 1] + x[:, 2] > 0.4).float()
    return torch.utils.data.TensorDataset(x, default)


book = torch.utils.data.DataLoader(applicants(480), batch_size=16, shuffle=True)
held_out = applicants(100)
scorer = nn.Sequential(nn.Linear(8, 16), nn.Mish(), nn.Linear(16, 1), nn.Flatten(0))
engine = Engine(scorer, nn.BCEWithLogitsLoss(), torch.optim.Adam(scorer.parameters(), 4e-3))
engine.add(Progress()).add(Calibration(held_out, bins=5))
engine.run(book, epochs=10)
