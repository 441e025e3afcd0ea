# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(37)


class Curriculum:
    """Self-paced sampling: easy first, then by an EMA of each sample's loss."""

    def __init__(self, n, warm, beta=0.7):
        self.score = {i: torch.tensor(1.0) for i in range(n)}
        self.warm, self.beta, self.t = warm, beta, 0

    def pick(self, k):
        s = torch.stack([self.score[i] for i in range(len(self.score))])
        temp = -2.0 if self.t < self.warm else 2.0
        return torch.multinomial(F.softmax(temp * s, 0), k)

    def feedback(self, idx, losses):
        self.t += 1
        for i, l in zip(idx.tolist(), losses.detach()):
            self.score[i] = self.beta * self.score[i] + (1 - self.beta) * l


class CharCNN(nn.Module):
    def __init__(self, v=12, d=8):
        super().__init__()
        self.e = nn.Embedding(v, d)
        self.c = nn.ModuleList(nn.Conv1d(d, 6, k) for k in (2, 3))
        self.o = nn.Linear(12, 2)

    def forward(self, s):
        x = self.e(s).transpose(1, 2)
        return self.o(torch.cat([F.relu(c(x)).amax(-1) for c in self.c], 1))


words = torch.randint(0, 12, (64, 7))
label = (words[:, :-1] == words[:, 1:]).any(1).long()
net, cur = CharCNN(), Curriculum(64, warm=200)
opt = torch.optim.AdamW(net.parameters(), 3e-3)
for it in range(550):
    idx = cur.pick(12)
    each = F.cross_entropy(net(words[idx]), label[idx], reduction="none")
    opt.zero_grad()
    each.mean().backward()
    opt.step()
    cur.feedback(idx, each)
print("mean difficulty", torch.stack(list(cur.score.values())).mean().item())
