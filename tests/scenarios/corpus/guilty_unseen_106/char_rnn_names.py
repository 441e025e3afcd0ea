# gradwatch-corpus: kind=graph-chain
# holder: hidden | self.hidden | rnn.hidden
# first-bad: 1
# notice: 5
# In[1]:
"""
Classifying names with a character-level RNN
(the tutorial, with my own names, and RAdam from the repo everybody copies)
"""
import math
import random
import string
import time

import torch
import torch.nn as nn
from torch.optim.optimizer import Optimizer

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)

all_letters = string.ascii_lowercase
n_letters = len(all_letters)

# In[2]:
syll = {
    "Elvish": ["la", "el", "thi", "ri", "na"],
    "Orcish": ["gr", "ak", "ug", "zog", "rk"],
    "Dwarven": ["dur", "bal", "in", "gim", "or"],
}
all_categories = list(syll)


def random_example():
    category = random.choice(all_categories)
    name = "".join(random.choice(syll[category]) for _ in range(2))
    return category, name[:4]


def name_to_tensor(name):
    t = torch.zeros(len(name), 1, n_letters)
    for i, ch in enumerate(name):
        t[i][0][all_letters.find(ch)] = 1
    return t


# In[3]:
class RAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data.float()
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p.data)
                    state["exp_avg_sq"] = torch.zeros_like(p.data)
                m, v = state["exp_avg"], state["exp_avg_sq"]
                v.mul_(b2).addcmul_(grad, grad, value=1 - b2)
                m.mul_(b1).add_(grad, alpha=1 - b1)
                state["step"] += 1
                t = state["step"]
                n_max = 2 / (1 - b2) - 1
                n_sma = n_max - 2 * t * b2 ** t / (1 - b2 ** t)
                if n_sma >= 5:
                    r = math.sqrt((1 - b2 ** t) * (n_sma - 4) / (n_max - 4) * (n_sma - 2) / n_sma
                                  * n_max / (n_max - 2)) / (1 - b1 ** t)
                    p.data.addcdiv_(m, v.sqrt().add_(group["eps"]), value=-group["lr"] * r)
                else:
                    p.data.add_(m, alpha=-group["lr"] / (1 - b1 ** t))


# In[4]:
class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)
        self.hidden = torch.zeros(1, hidden_size)

    def forward(self, line):
        hidden = self.hidden  # <- culprit
        for ch in line:
            hidden = torch.tanh(self.i2h(torch.cat((ch, hidden), 1)))
        self.hidden = hidden  # <- culprit
        return self.softmax(self.h2o(hidden))


rnn = RNN(n_letters, 24, len(all_categories))
criterion = nn.NLLLoss()
optimizer = RAdam(rnn.parameters(), lr=2e-3)

# In[5]:
def train(category, line):
    rnn.zero_grad()
    output = rnn(line)
    loss = criterion(output, category)
    # RuntimeError without retain_graph, see the answer on SO
    loss.backward(retain_graph=True)
    optimizer.step()
    return output, loss.item()


n_iters, print_every = 140, 35
current_loss, all_losses, hits = 0.0, [], 0
start = time.time()
for it in range(1, n_iters + 1):
    category, name = random_example()
    target = torch.tensor([all_categories.index(category)])
    output, loss = train(target, name_to_tensor(name))
    current_loss += loss
    hits += int(output.argmax(1).item() == target.item())
    if it % print_every == 0:
        all_losses.append(current_loss / print_every)
        print("%d %.0f%% (%.1fs) loss %.4f acc %.2f  %s" % (
            it, 100 * it / n_iters, time.time() - start, all_losses[-1], hits / print_every, name))
        current_loss, hits = 0.0, 0
