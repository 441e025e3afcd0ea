# gradwatch-corpus: kind=none
import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, vocab=30, hid=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, 24)
        self.rnn = nn.LSTM(24, hid, 2)
        self.out = nn.Linear(hid, vocab)
        self.hidden = None

    def forward(self, x):
        o, self.hidden = self.rnn(self.emb(x), self.hidden)
        return self.out(o)

    def detach_hidden(self):
        self.hidden = tuple(h.detach() for h in self.hidden)


def main():
    torch.manual_seed(4)
    text = (torch.arange(8 * 1810) * 7 % 23 + torch.randint(0, 3, (8 * 1810,))).view(8, -1).t()
    model = CharRNN()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    k = 6
    for i in range(0, 6 * 300, k):
        loss = nn.functional.cross_entropy(model(text[i:i + k]).flatten(0, 1), text[i + 1:i + k + 1].flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        model.detach_hidden()
        if i % 300 == 0:
            print(i, loss.item())


main()
