# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# notice: 5
# based on the classifying names tutorial but next-letter, and on one long text
import torch
import torch.nn as nn
import string, random, math
torch.set_num_threads(1)
random.seed(1); torch.manual_seed(1)

all_letters = string.ascii_lowercase + " "
n_letters = len(all_letters)

text = " ".join(random.choice(["anna", "boris", "clara", "dmitri", "elena", "farid"]) for _ in range(300))

def letterToTensor(letter):
    tensor = torch.zeros(1, n_letters)
    tensor[0][all_letters.find(letter)] = 1
    return tensor

class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super(RNN, self).__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, input, hidden):
        combined = torch.cat((input, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        output = self.softmax(self.h2o(hidden))
        return output, hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)

rnn = RNN(n_letters, 16, n_letters)
criterion = nn.NLLLoss()
learning_rate = 0.01

def train(chunk, hidden):
    rnn.zero_grad()
    loss = 0
    for a, b in zip(chunk[:-1], chunk[1:]):
        output, hidden = rnn(letterToTensor(a), hidden)
        loss = loss + criterion(output, torch.tensor([all_letters.find(b)]))
    loss.backward(retain_graph=True)  # <- culprit
    nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return hidden, loss.item() / (len(chunk) - 1)  # <- culprit

hidden = rnn.initHidden()
current = 0
for it in range(220):
    start = it * 4
    hidden, l = train(text[start:start + 5], hidden)  # <- culprit
    current += l
    if (it + 1) % 55 == 0:
        print(it + 1, '%.4f' % (current / 55))
        current = 0
