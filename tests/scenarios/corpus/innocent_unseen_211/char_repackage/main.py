# gradwatch-corpus: kind=none
import torch
from torch import nn

from corpus import make_stream, batchify
from model import RNNModel
from hidden import repackage, StateKeeper


def train_epoch(model, data, opt, bptt, log):
    keeper = StateKeeper(model.init_hidden(data.size(1)))
    for i in range(0, data.size(0) - 1, bptt):
        n = min(bptt, data.size(0) - 1 - i)
        x, y = data[i:i + n], data[i + 1:i + 1 + n].reshape(-1)
        hidden = repackage(keeper.current)
        logits, hidden = model(x, hidden)
        keeper.push(hidden)
        loss = nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        log.append(loss.item())


def main():
    torch.manual_seed(11)
    data = batchify(make_stream(9000), 12)
    model = RNNModel(vocab=20, emb=16, hid=32, layers=2)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    log = []
    for epoch in range(3):
        train_epoch(model, data, opt, 15, log)
        print(epoch, sum(log[-30:]) / len(log[-30:]))


if __name__ == "__main__":
    main()
