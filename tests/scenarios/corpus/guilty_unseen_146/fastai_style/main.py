# gradwatch-corpus: kind=graph-held
# holder: self.vals | rec.vals
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)
from torch import nn
from learner import Learner, DataBunch
from callbacks import AvgMetric, ProgressCB


def get_dls(n=160, bs=8):
    torch.manual_seed(7)
    x = torch.linspace(-3, 3, n)[:, None]
    y = torch.sin(2 * x) * torch.exp(-0.1 * x ** 2) + 0.05 * torch.randn_like(x)
    idx = torch.randperm(n)
    return DataBunch(x[idx[:128]], y[idx[:128]], x[idx[128:]], y[idx[128:]], bs)


def mae(pred, targ):
    return (pred - targ).abs().mean()


if __name__ == "__main__":
    data = get_dls()
    model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    rec = AvgMetric(mae)
    learn = Learner(model, data, nn.functional.mse_loss, lr=0.05, cbs=[rec, ProgressCB(rec)])
    learn.fit(18)
