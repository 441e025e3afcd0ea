# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

torch.manual_seed(0)


class Sequence(nn.Module):
    """sine wave prediction of the pytorch examples, smaller"""

    def __init__(self, h=24):
        super().__init__()
        self.h = h
        self.lstm1 = nn.LSTMCell(1, h)
        self.linear = nn.Linear(h, 1)

    def forward(self, input):
        outputs = []
        h_t = torch.zeros(input.size(0), self.h)
        c_t = torch.zeros(input.size(0), self.h)
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(input_t, (h_t, c_t))
            outputs += [self.linear(h_t)]
        return torch.cat(outputs, dim=1)


data = torch.sin(torch.arange(13.0) * 0.3 + torch.rand(24, 1) * 6)
inp, target = data[:, :-1], data[:, 1:]
seq = Sequence()
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(seq.parameters(), lr=0.5, max_iter=3, history_size=10)
for i in range(110):
    def closure():
        optimizer.zero_grad()
        loss = criterion(seq(inp), target)
        loss.backward()
        return loss

    loss = optimizer.step(closure)
    if i % 20 == 0:
        print("STEP", i, "loss", loss.item())
