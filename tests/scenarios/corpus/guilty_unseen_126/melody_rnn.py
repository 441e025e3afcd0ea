# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# notice: 5
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1)

notes = torch.randint(0, 7, (300,))
for k in range(3, 300):
    if torch.rand(1) < 0.8:
        notes[k] = (notes[k - 1] + notes[k - 3]) % 7


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.i2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, note, hidden):
        combined = torch.cat((note, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        return self.softmax(self.i2o(hidden)), hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)


rnn = RNN(7, 10, 7)
criterion = nn.NLLLoss()
learning_rate = 0.005
hidden = rnn.initHidden()


def train(prev, nxt, hidden):
    rnn.zero_grad()
    output, hidden = rnn(nn.functional.one_hot(prev, 7).float().view(1, -1), hidden)
    loss = criterion(output, nxt.view(1))
    loss.backward(retain_graph=True)
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return hidden, loss.item()  # <- culprit


current = 0.0
for i in range(220):
    hidden, l = train(notes[i], notes[i + 1], hidden)  # <- culprit
    current += l
    if i % 55 == 54:
        print(i + 1, current / 55)
        current = 0.0
