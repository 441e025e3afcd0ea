# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# Generating names with a character RNN
import torch
import torch.nn as nn
import string

torch.manual_seed(0)

all_letters = string.ascii_lowercase + " "
n_letters = len(all_letters) + 1  # EOS

names = """anna bella carl david emma frank greta hans ida jonas karl lena
mia nils oskar paula quirin rosa simon tina ulf vera willi xaver yara zoe""".split()


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super(RNN, self).__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.i2o = nn.Linear(input_size + hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, input, hidden):
        combined = torch.cat((input, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        output = self.softmax(self.i2o(combined))
        return output, hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)


def inputTensor(line):
    tensor = torch.zeros(len(line), 1, n_letters)
    for li, letter in enumerate(line):
        tensor[li][0][all_letters.find(letter)] = 1
    return tensor


def targetTensor(line):
    idx = [all_letters.find(c) for c in line[1:]]
    idx.append(n_letters - 1)
    return torch.LongTensor(idx)


criterion = nn.NLLLoss()
learning_rate = 0.005
rnn = RNN(n_letters, 32, n_letters)
hidden = rnn.initHidden()


def train(line):
    global hidden
    x, y = inputTensor(line), targetTensor(line)
    rnn.zero_grad()
    loss = 0
    for i in range(x.size(0)):
        output, hidden = rnn(x[i], hidden)  # <- culprit
        loss = loss + criterion(output, y[i].unsqueeze(0))
    loss.backward(retain_graph=True)  # <- culprit
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return loss.item() / x.size(0)


n_iters = 400
print_every = 40
total_loss = 0
all_losses = []
for it in range(1, n_iters + 1):
    name = names[torch.randint(len(names), (1,)).item()]
    total_loss += train(name)
    if it % print_every == 0:
        all_losses.append(total_loss / print_every)
        print("%d %.4f" % (it, all_losses[-1]))
        total_loss = 0


def sample(start="a", max_length=8):
    with torch.no_grad():
        h = rnn.initHidden()
        x = inputTensor(start)
        name = start
        for _ in range(max_length):
            out, h = rnn(x[0], h)
            top = out.argmax(1).item()
            if top == n_letters - 1:
                break
            name += all_letters[top]
            x = inputTensor(all_letters[top])
    return name


print(sample("a"), sample("k"))
