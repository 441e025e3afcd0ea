# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

SEQ_WIDTH = 6
SEQ_LEN = 5
ROWS = 10
COLS = 12


class TinyNTM(nn.Module):
    def __init__(self, controller_size=40):
        super().__init__()
        self.controller = nn.GRUCell(SEQ_WIDTH + 1 + COLS, controller_size)
        self.key = nn.Linear(controller_size, COLS)
        self.add_vec = nn.Linear(controller_size, COLS)
        self.out = nn.Linear(controller_size + COLS, SEQ_WIDTH)
        self.mem_bias = nn.Parameter(0.05 * torch.randn(ROWS, COLS))
        self.controller_size = controller_size

    def reset(self, batch):
        self.h = torch.zeros(batch, self.controller_size)
        self.read = torch.zeros(batch, COLS)
        self.memory = self.mem_bias.unsqueeze(0).repeat(batch, 1, 1)

    def address(self, key):
        sim = F.cosine_similarity(self.memory, key.unsqueeze(1), dim=-1)
        return torch.softmax(6 * sim, dim=-1)

    def step(self, x, slot):
        self.h = self.controller(torch.cat([x, self.read], dim=-1), self.h)
        w = self.address(self.key(self.h))
        self.read = torch.bmm(w.unsqueeze(1), self.memory).squeeze(1)
        self.memory[:, slot] = torch.tanh(self.add_vec(self.h))  # <- culprit
        return self.out(torch.cat([self.h, self.read], dim=-1))


def copy_batch(n):
    seq = torch.bernoulli(torch.full((SEQ_LEN, n, SEQ_WIDTH), 0.5))
    inp = torch.zeros(2 * SEQ_LEN + 1, n, SEQ_WIDTH + 1)
    inp[:SEQ_LEN, :, :SEQ_WIDTH] = seq
    inp[SEQ_LEN, :, SEQ_WIDTH] = 1.0
    return inp, seq


def train_batch(net, criterion, optimizer, x, y):
    optimizer.zero_grad()
    net.reset(x.size(1))
    outs = []
    for t in range(x.size(0)):
        outs.append(net.step(x[t], slot=t % ROWS))
    logits = torch.stack(outs[-SEQ_LEN:])
    loss = criterion(logits, y)
    loss.backward()
    nn.utils.clip_grad_value_(net.parameters(), 10)
    optimizer.step()
    wrong = ((logits > 0).float() - y).abs().sum() / x.size(1)
    return loss.item(), wrong.item()


def main():
    torch.manual_seed(1000)
    net = TinyNTM()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.RMSprop(net.parameters(), momentum=0.9, alpha=0.95, lr=1e-4)
    n_params = sum(p.numel() for p in net.parameters())
    print("parameters:", n_params)
    for b in range(100):
        x, y = copy_batch(8)
        loss, cost = train_batch(net, criterion, optimizer, x, y)
        if b % 20 == 0:
            print("batch %d loss %.5f bits wrong per sequence %.2f" % (b, loss, cost))


if __name__ == "__main__":
    main()
