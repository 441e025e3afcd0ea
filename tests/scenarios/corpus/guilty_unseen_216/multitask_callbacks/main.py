# gradwatch-corpus: kind=graph-held
# holder: self.logs | history.logs | trainer.callbacks[0].logs | self.callbacks[0].logs
# first-bad: 1
import torch

from callbacks import EarlyStopping, History, PrintLogs
from model import SharedBottom
from trainer import Trainer


def make_tables(n, d, seed=0):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, d, generator=g)
    w = torch.randn(d, 3, generator=g) / d ** 0.5
    z = torch.tanh(x @ w)
    price = z[:, :1] * 2 + 0.1 * torch.randn(n, 1, generator=g)
    sold = (z[:, 1:2] + 0.2 * torch.randn(n, 1, generator=g) > 0).float()
    days = (z[:, 2:] + 1.5).abs()
    return x, {"price": price, "sold": sold, "days": days}


if __name__ == "__main__":
    torch.manual_seed(21)
    x, targets = make_tables(1600, 24)
    model = SharedBottom(24, hidden=64, tasks={"price": 1, "sold": 1, "days": 1})
    history = History()
    trainer = Trainer(
        model,
        torch.optim.Adam(model.parameters(), lr=2e-3),
        weights={"price": 1.0, "sold": 0.5, "days": 0.3},
        callbacks=[history, PrintLogs(every=4), EarlyStopping(patience=6)],
    )
    trainer.fit(x, targets, epochs=10, batch_size=128)
    print("best epoch loss: %.4f" % min(history.epoch_mean("loss")))
