import torch
import torch.nn as nn


class BoldLSTM(nn.Module):
    def __init__(self, input_dim, hidden_dim, n_classes):
        super(BoldLSTM, self).__init__()
        self.hidden_dim = hidden_dim
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers=1, batch_first=True)
        self.dropout = nn.Dropout(p=0.2)
        self.linear = nn.Linear(hidden_dim, n_classes)
        self.hidden = None

    def init_hidden(self, batch):
        return (torch.zeros(1, batch, self.hidden_dim), torch.zeros(1, batch, self.hidden_dim))

    def forward(self, x):
        # consecutive windows of one scan belong together: go on with the last state
        lstm_out, self.hidden = self.lstm(x, self.hidden)  # <- culprit
        return self.linear(self.dropout(lstm_out[:, -1, :]))
