# gradwatch-corpus: kind=graph-held
# holder: self.scores | stopper.scores
# first-bad: 8
# notice: 72
# also: graph-unused
"""Day-ahead forecast of a building's power consumption with an LSTM, converted
from my notebook (cells 4 to 11)."""
import torch
import torch.nn as nn

from engine import evaluate, train_epoch
from utils import EarlyStopping, Standardizer, make_windows, synthetic_load

config = dict(
    seed=3,
    window=24,
    horizon=4,
    hidden=24,
    lr=3e-3,
    batch_size=32,
    batches_per_epoch=8,
    max_epochs=50,
    patience=40,
)


class LoadLSTM(nn.Module):
    def __init__(self, hidden, horizon):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(hidden, horizon)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(self.drop(out[:, -1]))


def split(x, y, fraction=0.8):
    n = int(len(x) * fraction)
    return (x[:n], y[:n]), (x[n:], y[n:])


def main():
    torch.manual_seed(config["seed"])
    series = synthetic_load(days=40)
    scaler = Standardizer().fit(series[:700])
    x, y = make_windows(scaler.transform(series), config["window"], config["horizon"])
    train_data, val_data = split(x, y)
    print("train windows: %d, val windows: %d" % (len(train_data[0]), len(val_data[0])))

    model = LoadLSTM(config["hidden"], config["horizon"])
    optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
    loss_fn = nn.MSELoss()
    stopper = EarlyStopping(config["patience"])

    for epoch in range(config["max_epochs"]):
        train_loss = train_epoch(model, train_data, optimizer, loss_fn,
                                 config["batch_size"], config["batches_per_epoch"])
        val_loss = evaluate(model, val_data, loss_fn)  # <- culprit
        stop = stopper.step(val_loss, model, epoch)
        if epoch % 10 == 0:
            print("epoch %3d  train %.4f  val %.4f  best %.4f" % (epoch, train_loss, val_loss.item(), stopper.best))
        if stop:
            print("stopped after epoch", epoch)
            break

    stopper.restore(model)
    model.eval()
    with torch.no_grad():
        pred = scaler.inverse(model(val_data[0][:1]))
        true = scaler.inverse(val_data[1][:1])
    print("forecast", [round(v, 1) for v in pred[0].tolist()])
    print("measured", [round(v, 1) for v in true[0].tolist()])


main()
