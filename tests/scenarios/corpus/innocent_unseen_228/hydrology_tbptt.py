# gradwatch-corpus: kind=none
"""River discharge model trained on continuous gauge series with truncated BPTT."""
import torch
from torch import nn


class StatefulLSTM(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.lstm = nn.LSTM(n_in, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, 1)
        self.state = None

    def reset(self):
        self.state = None

    def truncate(self):
        self.state = tuple(s.detach() for s in self.state)

    def forward(self, x):
        out, self.state = self.lstm(x, self.state)
        return self.readout(out)


def catchments(n, length):
    rain = torch.relu(torch.randn(n, length, 1))
    temp = torch.sin(torch.arange(length) / 30).view(1, -1, 1).repeat(n, 1, 1)
    flow = torch.zeros(n, length, 1)
    store = torch.zeros(n, 1)
    for t in range(length):
        store = 0.9 * store + rain[:, t]
        flow[:, t] = 0.1 * store
    return torch.cat([rain, temp], -1), flow


def nse(pred, obs):
    return (1 - (pred - obs).pow(2).sum() / (obs - obs.mean()).pow(2).sum()).item()


def main():
    torch.manual_seed(31)
    x, y = catchments(8, 480)
    model = StatefulLSTM(2, 24)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    window = 24
    for epoch in range(6):
        model.reset()
        preds = []
        for start in range(0, x.shape[1], window):
            chunk = slice(start, start + window)
            if model.state is not None:
                model.truncate()
            out = model(x[:, chunk])
            loss = nn.functional.mse_loss(out, y[:, chunk])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            preds.append(out.detach())
        print(f"epoch {epoch} nse {nse(torch.cat(preds, 1), y):.3f}")


if __name__ == "__main__":
    main()
