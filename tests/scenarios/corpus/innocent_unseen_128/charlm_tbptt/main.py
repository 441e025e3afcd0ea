# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from rnn import CharRNN, repackage

torch.manual_seed(1)
VOCAB, BPTT, BATCH = 12, 10, 8


def corpus(n):
    out, s = [], 0
    jumps = torch.randint(1, 4, (n,)).tolist()
    for j in jumps:
        s = (s + j) % VOCAB
        out.append(s)
    return torch.tensor(out)


data = corpus(BATCH * 1001).view(BATCH, -1)
net = CharRNN(VOCAB, 24)
opt = torch.optim.SGD(net.parameters(), lr=1.0)
step = 0
for epoch in range(6):
    hidden = net.init_hidden(BATCH)
    total = 0.0
    for i in range(0, data.shape[1] - 1, BPTT):
        x, y = data[:, i:i + BPTT], data[:, i + 1:i + 1 + BPTT]
        hidden = repackage(hidden)
        logits, hidden = net(x[:, : y.shape[1]], hidden)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        net.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.25)
        opt.step()
        total += loss.item()
        step += 1
    print(epoch, step, total)
