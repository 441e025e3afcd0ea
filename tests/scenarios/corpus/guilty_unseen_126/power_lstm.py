# gradwatch-corpus: kind=second-backward
# holder: model.hidden | self.hidden
# first-bad: 1
# notice: 0
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(19)

load = torch.sin(torch.arange(600) * 0.26) + 0.4 * torch.sin(torch.arange(600) * 0.037) + 0.05 * torch.randn(600)


class LoadForecaster(nn.Module):
    def __init__(self, hidden_dim=12, batch_size=4):
        super().__init__()
        self.hidden_dim, self.batch_size = hidden_dim, batch_size
        self.lstm = nn.LSTM(1, hidden_dim)
        self.linear = nn.Linear(hidden_dim, 1)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (torch.zeros(1, self.batch_size, self.hidden_dim), torch.zeros(1, self.batch_size, self.hidden_dim))

    def forward(self, seq):
        lstm_out, self.hidden = self.lstm(seq, self.hidden)  # <- culprit
        return self.linear(lstm_out)


def windows(series, n_streams, size):
    cols = series.view(n_streams, -1).t().unsqueeze(-1)
    for s in range(0, cols.size(0) - size - 1, size):
        yield cols[s:s + size], cols[s + 1:s + size + 1]


model = LoadForecaster()
loss_fn = nn.MSELoss()
optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
hist = []
for t in range(40):
    model.hidden = model.init_hidden()
    running = 0.0
    for X, y in windows(load, 4, 10):
        model.zero_grad()
        y_pred = model(X)
        loss = loss_fn(y_pred, y)
        running += loss.item()
        loss.backward()
        optimiser.step()
    hist.append(running)
    print("Epoch", t, "MSE", running)
