# gradwatch-corpus: kind=none
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(118)


class SoftFBeta(nn.Module):
    def __init__(self, beta=1.0):
        super().__init__()
        self.b2 = beta ** 2

    def forward(self, logit, y):
        p = torch.sigmoid(logit)
        tp = (p * y).sum()
        fp = (p * (1 - y)).sum()
        fn = ((1 - p) * y).sum()
        return 1 - (1 + self.b2) * tp / ((1 + self.b2) * tp + self.b2 * fn + fp + 1e-7)


def hard_f1(logit, y, thr=0.5):
    p = (torch.sigmoid(logit).detach().cpu().numpy() > thr).astype(int)
    t = y.cpu().numpy().astype(int)
    tp = np.sum((p == 1) & (t == 1))
    return 2 * tp / max(1, p.sum() + t.sum())


tx = torch.randn(640, 7)
fraud = ((tx[:, 0] * tx[:, 1] + tx[:, 2]) > 1.4).float()
tr, va = slice(0, 480), slice(480, 640)
net = nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Linear(20, 1))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
soft = SoftFBeta()


def validate():
    net.eval()
    outs = []
    for xb in tx[va].split(20):
        outs.append(net(xb).squeeze(1))
    logit = torch.cat(outs)
    net.train()
    return soft(logit, fraud[va]), hard_f1(logit, fraud[va])


best = (0.0, None)
for epoch in range(25):
    f1s = []
    for idx in torch.randperm(480).split(24):
        logit = net(tx[idx]).squeeze(1)
        loss = soft(logit, fraud[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        f1s.append(hard_f1(logit, fraud[idx]))
    val_loss, val_f1 = validate()
    if val_f1 > best[0]:
        best = (val_f1, {k: v.detach().clone() for k, v in net.state_dict().items()})
    if epoch % 5 == 0:
        print(epoch, np.mean(f1s), val_loss.item(), val_f1)
net.load_state_dict(best[1])
print("restored", validate()[1])
