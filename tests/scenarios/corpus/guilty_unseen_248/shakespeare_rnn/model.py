import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.encoder = nn.Embedding(input_size, hidden_size)
        self.i2h = nn.Linear(hidden_size * 2, hidden_size)
        self.decoder = nn.Linear(hidden_size, output_size)

    def forward(self, ch, hidden):
        emb = self.encoder(ch.view(1))
        combined = torch.cat((emb, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        output = self.decoder(hidden)
        return output, hidden

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size)
