# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import random
import time

import torch
import torch.nn as nn

random.seed(90)
torch.manual_seed(90)

languages = {
    "north": ["bjorn", "sigrid", "halvar", "torsten", "ingrid", "asbjorn"],
    "south": ["marco", "lucia", "paolo", "fiora", "renato", "chiara"],
    "east": ["ivanov", "petrov", "sokolov", "volkov", "lebedev", "orlov"],
}
all_categories = list(languages)
all_letters = "abcdefghijklmnopqrstuvwxyz"


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.i2h = nn.Linear(input_size, hidden_size)
        self.h2h = nn.Linear(hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, line, hidden):
        hidden = torch.tanh(self.i2h(line) + self.h2h(hidden))
        return self.softmax(self.h2o(hidden)), hidden


def line_to_tensor(line):
    t = torch.zeros(1, len(all_letters))
    for li, letter in enumerate(line):
        t[0, all_letters.index(letter)] += 1.0 / (li + 1)
    return t


def random_training_example():
    category = random.choice(all_categories)
    line = random.choice(languages[category])
    return category, line, torch.tensor([all_categories.index(category)]), line_to_tensor(line)


def category_from_output(output):
    return all_categories[output.argmax(1).item()]


rnn = RNN(len(all_letters), 24, len(all_categories))
criterion = nn.NLLLoss()
learning_rate = 0.02
n_iters, print_every = 420, 70


def train(category_tensor, line_tensor, hidden):
    rnn.zero_grad()
    output, hidden = rnn(line_tensor, hidden)  # <- culprit
    loss = criterion(output, category_tensor)
    loss.backward(retain_graph=True)
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return output, loss.item(), hidden  # <- culprit


start = time.time()
current_loss = 0.0
all_losses = []
hidden = torch.zeros(1, 24)
for it in range(1, n_iters + 1):
    category, line, category_tensor, line_tensor = random_training_example()
    output, loss, hidden = train(category_tensor, line_tensor, hidden)  # <- culprit
    current_loss += loss
    if it % print_every == 0:
        guess = category_from_output(output)
        mark = "ok" if guess == category else f"no ({category})"
        all_losses.append(current_loss / print_every)
        print(f"{it} {100 * it // n_iters}% ({time.time() - start:.1f}s) {all_losses[-1]:.4f} {line} / {guess} {mark}")
        current_loss = 0.0
