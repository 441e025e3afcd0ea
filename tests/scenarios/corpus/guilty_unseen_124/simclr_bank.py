# gradwatch-corpus: kind=graph-held
# holder: learner.bank.pages | self.bank.pages | self.pages | bank.pages
# first-bad: 1
# notice: 8
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)


class Bank:
    """Negatives from recent batches."""

    def __init__(self, recent):
        self.recent = recent
        self.pages = []

    def add(self, z):
        self.pages.append(z)  # <- culprit

    def negatives(self):
        if not self.pages:
            return None
        return torch.cat([p.detach() for p in self.pages[-self.recent:]])


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, 6, 3, 2), nn.ReLU(), nn.Conv2d(6, 8, 3, 2), nn.ReLU(), nn.Flatten(), nn.Linear(32, 16)
        )
        self.bank = Bank(recent=4)

    def embed(self, img):
        return F.normalize(self.trunk(img), dim=1)

    def info_nce(self, a, b, tau=0.3):
        za, zb = self.embed(a), self.embed(b)
        sims = [za @ zb.t()]
        neg = self.bank.negatives()
        if neg is not None:
            sims.append(za @ neg.t())
        self.bank.add(zb)
        return F.cross_entropy(torch.cat(sims, 1) / tau, torch.arange(len(za)))


def augment(img):
    out = img.roll(int(torch.randint(-1, 2, ())), dims=-1)
    return out * (0.8 + 0.4 * torch.rand(len(img), 1, 1, 1)) + 0.05 * torch.randn_like(img)


def images(n=20):
    kind = torch.randint(0, 5, (n,))
    img = torch.zeros(n, 1, 12, 12)
    for i, k in enumerate(kind.tolist()):
        img[i, 0, 2 * k: 2 * k + 3, :] = 1.0
    return img


learner = Learner()
opt = torch.optim.Adam(learner.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 250)
for it in range(250):
    img = images()
    loss = learner.info_nce(augment(img), augment(img))
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 50 == 0:
        print(it, round(loss.item(), 4), sched.get_last_lr())
