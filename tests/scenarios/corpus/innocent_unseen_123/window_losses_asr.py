# gradwatch-corpus: kind=none
"""CTC on toy utterances, six utterances of unequal length per update, their losses gathered and walked together."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(250)


class Acoustic(nn.Module):
    def __init__(self, feats=6, phones=5):
        super().__init__()
        self.front = nn.utils.parametrizations.weight_norm(nn.Conv1d(feats, 12, 3, padding=1))
        self.out = nn.Linear(12, phones)

    def forward(self, x):
        h = torch.relu(self.front(x.t()[None]))
        return self.out(h[0].t()).log_softmax(-1)


class Collector:
    def __init__(self, size):
        self.size, self.held, self.count = size, [], 0

    def add(self, loss):
        self.held.append(loss)
        self.count += 1
        return len(self.held) == self.size

    def release(self):
        held, self.held = self.held, []
        return torch.stack(held).mean()


def utterance(emb):
    phones = torch.randint(1, 5, (int(torch.randint(2, 5, (1,))),))
    frames = emb[phones].repeat_interleave(3, 0)
    return frames + 0.2 * torch.randn_like(frames), phones


emb = torch.randn(5, 6)
net, window, ctc = Acoustic(), Collector(6), nn.CTCLoss(blank=0)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
updates = 0
while updates < 420:
    x, phones = utterance(emb)
    logp = net(x)
    if window.add(ctc(logp[:, None], phones[None], (len(x),), (len(phones),))):
        loss = window.release()
        opt.zero_grad()
        loss.backward()
        opt.step()
        updates += 1
        if updates % 105 == 0:
            print(updates, window.count, round(loss.item(), 3))
