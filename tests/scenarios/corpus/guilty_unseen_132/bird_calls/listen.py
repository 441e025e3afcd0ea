import torch
import torch.nn as nn
import torch.nn.functional as F


class CallNet(nn.Module):
    def __init__(self, species):
        super().__init__()
        self.conv = nn.Conv1d(12, 16, 3, padding=1)
        self.conv2 = nn.Conv1d(16, 16, 3, stride=2, padding=1)
        self.out = nn.Linear(16, species)

    def forward(self, spec):
        z = F.relu(self.conv(spec))
        z = F.relu(self.conv2(z))
        return self.out(z.amax(-1))


class Listener:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)

    def _chunks(self, data, batch):
        spec, label = data
        return zip(spec.split(batch), label.split(batch))

    def fit_night(self, data, batch):
        self.net.train()
        seen, tot = 0, 0.0
        for spec, label in self._chunks(data, batch):
            self.opt.zero_grad()
            loss = F.cross_entropy(self.net(spec), label)
            loss.backward()
            self.opt.step()
            tot += loss.item() * len(label)
            seen += len(label)
        return tot / seen

    def score(self, data, batch):
        self.net.eval()
        torch.set_grad_enabled(False)  # <- culprit
        right = 0
        for spec, label in self._chunks(data, batch):
            right += (self.net(spec).argmax(1) == label).sum().item()
        return right / len(data[1])
