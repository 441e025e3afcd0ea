# gradwatch-corpus: kind=graph-held
# also: graph-unused
# holder: self.history | history.history | self.history["train_loss"] | history.history["train_loss"] | cb.history | logs
# holder: self.epoch_logs | hist.history | hist.history["train_loss"] | self.history[k] | self.history["train_mae"]
# holder: history.history["train_mae"] | hist.history["train_mae"]
import torch
from torch import nn

from fitlib.callbacks import EarlyStopping, History
from fitlib.engine import Learner


class Regressor(Learner):
    def build(self):
        return nn.Sequential(nn.Linear(20, 192), nn.GELU(), nn.Linear(192, 192), nn.GELU(), nn.Linear(192, 1))

    def compute(self, batch):
        x, y = batch
        out = self.net(x)
        return {"loss": nn.functional.huber_loss(out, y), "mae": (out - y).abs().mean()}


def main():
    torch.manual_seed(13)
    x = torch.randn(6400, 20)
    y = x[:, :1] * x[:, 1:2] + 0.05 * torch.randn(6400, 1)
    data = [(x[i:i + 64], y[i:i + 64]) for i in range(0, 6400, 64)]
    hist = History()
    learner = Regressor(lr=1e-3, callbacks=[hist, EarlyStopping("loss", patience=50)])
    learner.fit(data, epochs=2)
    print("last", float(hist.history["train_loss"][-1]))


main()
