# gradwatch-corpus: kind=crashed
# first-bad: 40
# notice: 0
import copy
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(6)

words = torch.randint(0, 80, (300, 8))
polarity = ((words % 5) - 2).float().sum(1).add(3 * torch.randn(300)).gt(0).float()
train_idx, val_idx = torch.arange(0, 240), torch.arange(240, 300)


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(80, 10)
        self.gru = nn.GRU(10, 12, batch_first=True)
        self.fc = nn.Linear(12, 1)

    def forward(self, w):
        _, h = self.gru(self.embed(w))
        return self.fc(h[-1]).squeeze(1)


net = Sentiment()
bce = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
state = {"best": float("inf"), "bad": 0, "weights": None}


def check_validation(patience):
    torch.set_grad_enabled(False)  # <- culprit
    net.eval()
    val = bce(net(words[val_idx]), polarity[val_idx]).item()
    if val >= state["best"]:
        state["bad"] += 1
        return state["bad"] >= patience  # <- culprit
    state.update(best=val, bad=0, weights=copy.deepcopy(net.state_dict()))
    torch.set_grad_enabled(True)
    return False


def train_epoch():
    net.train()
    for idx in train_idx[torch.randperm(240)].split(24):
        loss = bce(net(words[idx]), polarity[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()


for epoch in range(60):
    train_epoch()
    if check_validation(patience=8):
        break
net.load_state_dict(state["weights"])
print("best val", state["best"])
