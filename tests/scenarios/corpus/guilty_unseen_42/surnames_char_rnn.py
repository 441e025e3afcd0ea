# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import random
import string

import torch
import torch.nn as nn

letters = string.ascii_lowercase
n_letters = len(letters)
langs = {"A": "aeioumnl", "B": "ktrzsckp", "C": "yvwhjqxa"}
names = list(langs)


def line_to_tensor(line):
    t = torch.zeros(len(line), 1, n_letters)
    for i, ch in enumerate(line):
        t[i][0][letters.index(ch)] = 1
    return t


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, x, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((x, hidden), 1)))
        return self.softmax(self.h2o(hidden)), hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)


def random_example():
    k = random.randrange(len(names))
    word = "".join(random.choice(langs[names[k]]) for _ in range(random.randint(3, 6)))
    return torch.tensor([k]), line_to_tensor(word), word


rnn = RNN(n_letters, 32, len(names))
criterion = nn.NLLLoss()
learning_rate = 0.01


def train(category_tensor, line_tensor, hidden):
    rnn.zero_grad()
    for i in range(line_tensor.size(0)):
        output, hidden = rnn(line_tensor[i], hidden)

    loss = criterion(output, category_tensor)
    loss.backward(retain_graph=True)  # <- culprit
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)

    return output, loss.item(), hidden  # <- culprit


def main(n_iters=120, print_every=20):
    random.seed(5)
    current_loss, correct = 0.0, 0
    hidden = rnn.initHidden()
    for it in range(1, n_iters + 1):
        category, line_tensor, word = random_example()
        output, loss, hidden = train(category, line_tensor, hidden)  # <- culprit
        current_loss += loss
        correct += int(output.argmax(1).item() == category.item())
        if it % print_every == 0:
            print("%d %d%% %.4f %s acc %.2f" % (it, it / n_iters * 100, current_loss / print_every,
                                                word, correct / print_every))
            current_loss, correct = 0.0, 0


if __name__ == "__main__":
    main()
