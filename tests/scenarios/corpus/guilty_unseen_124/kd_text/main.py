# gradwatch-corpus: kind=graph-held
# holder: journal.pending | self.pending | kd.journal.pending
# first-bad: 121
# notice: 8
import torch
from torch import nn
import torch.nn.functional as F

from journal import Journal

torch.set_num_threads(1)
torch.manual_seed(23)

VOCAB = 40


class BagOfWords(nn.Module):
    def __init__(self, dim, classes=4):
        super().__init__()
        self.emb = nn.EmbeddingBag(VOCAB, dim)
        self.out = nn.Linear(dim, classes)

    def forward(self, tok):
        return self.out(self.emb(tok).relu())


def documents(n):
    topic = torch.randint(0, 4, (n,))
    base = topic[:, None] * 10
    return (base + torch.randint(0, 14, (n, 9))) % VOCAB, topic


def pretrain(net, rounds=120):
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(rounds):
        tok, topic = documents(32)
        opt.zero_grad()
        F.cross_entropy(net(tok), topic).backward()
        opt.step()
    return net.eval().requires_grad_(False)


class Distiller:
    def __init__(self, teacher, student, journal, temp=2.0, alpha=0.7):
        self.teacher, self.student, self.journal = teacher, student, journal
        self.temp, self.alpha = temp, alpha

    def __call__(self, tok, topic):
        s, t = self.student(tok), self.teacher(tok)
        soft = F.kl_div(
            F.log_softmax(s / self.temp, 1), F.softmax(t / self.temp, 1), reduction="batchmean"
        ) * self.temp**2
        hard = F.cross_entropy(s, topic)
        self.journal.later(lambda: f"soft {soft:.4f} hard {hard:.4f}")
        return self.alpha * soft + (1 - self.alpha) * hard


journal = Journal(verbose=False)
kd = Distiller(pretrain(BagOfWords(32)), BagOfWords(6), journal)
opt = torch.optim.Adam(kd.student.parameters(), lr=5e-3)
for it in range(260):
    loss = kd(*documents(24))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 49:
        journal.flush()
        print(it, round(loss.item(), 4))
