# gradwatch-corpus: kind=none
"""CTC training with several utterances summed into one update."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(27)
GROUP = 4


class Acoustic(nn.Module):
    def __init__(self, phones=6):
        super().__init__()
        self.conv = nn.Conv1d(6, 14, 3, padding=1)
        self.out = nn.Linear(14, phones)

    def forward(self, feats):
        return self.out(torch.relu(self.conv(feats)).transpose(1, 2)).log_softmax(-1)


def utterance(frames=16, words=4):
    target = torch.randint(1, 6, (1, words))
    feats = 0.3 * torch.randn(1, 6, frames)
    for j, p in enumerate(target[0]):
        feats[0, p, 4 * j:4 * j + 3] += 2
    return feats, target


net = Acoustic()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
ctc = nn.CTCLoss()
pending, updates = None, 0
for k in range(GROUP * 500):
    feats, target = utterance()
    logp = net(feats).transpose(0, 1)
    loss = ctc(logp, target, torch.tensor([logp.shape[0]]), torch.tensor([target.shape[1]]))
    pending = loss if pending is None else pending + loss
    if (k + 1) % GROUP == 0:
        opt.zero_grad()
        (pending / GROUP).backward()
        opt.step()
        updates += 1
        if updates % 100 == 0:
            print(updates, pending.item() / GROUP)
        pending = None
