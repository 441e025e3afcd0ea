# gradwatch-corpus: kind=second-backward
# holder: self.feats | queue.feats | self.queue.feats | criterion.queue.feats | self.criterion.queue.feats | stored | self.queue
# first-bad: 8
# notice: 0
"""SwAV on vectors: online prototypes, Sinkhorn assignments helped by a feature queue once it is full."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from argparse import Namespace

HP = Namespace(
    dim=16, hid=48, emb=12, protos=8, batch=24, queue=192, iters=80, lr=0.05,
    temp=0.1, eps=0.05, sinkhorn_iters=3, freeze_protos=2, seed=7,
)


class ViewSampler:
    """Cluster members seen through random masks and jitter."""

    def __init__(self, hp, clusters=6):
        self.hp = hp
        self.centres = 2.0 * torch.randn(clusters, hp.dim)

    def view(self, x):
        mask = (torch.rand_like(x) > 0.15).float()
        return x * mask + 0.2 * torch.randn_like(x)

    def __iter__(self):
        for _ in range(self.hp.iters):
            x = self.centres[torch.randint(len(self.centres), (self.hp.batch,))]
            x = x + 0.4 * torch.randn_like(x)
            yield self.view(x), self.view(x)


class SwAVNet(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(hp.dim, hp.hid), nn.BatchNorm1d(hp.hid), nn.ReLU(inplace=True), nn.Linear(hp.hid, hp.emb)
        )
        self.prototypes = nn.Linear(hp.emb, hp.protos, bias=False)

    @torch.no_grad()
    def normalize_prototypes(self):
        self.prototypes.weight.copy_(F.normalize(self.prototypes.weight, dim=1))

    def forward(self, x):
        z = F.normalize(self.encoder(x), dim=1)
        return z, self.prototypes(z)


@torch.no_grad()
def sinkhorn(scores, hp):
    q = (scores / hp.eps).exp().t()
    q /= q.sum()
    k, b = q.shape
    for _ in range(hp.sinkhorn_iters):
        q /= q.sum(1, keepdim=True) * k
        q /= q.sum(0, keepdim=True) * b
    return (q * b).t()


class FeatureQueue:
    def __init__(self, size):
        self.size = size
        self.feats = None

    @property
    def full(self):
        return self.feats is not None and self.feats.size(0) >= self.size

    def push(self, z):
        stored = z if self.feats is None else torch.cat([z, self.feats])
        self.feats = stored[: self.size]  # <- culprit


class SwapLoss:
    def __init__(self, hp):
        self.hp = hp
        self.queue = FeatureQueue(hp.queue)

    def repel(self, z):
        """Keeps the batch mean away from the mean direction of the queue."""
        away = F.cosine_similarity(z.mean(0), self.queue.feats.mean(0), dim=0)
        return 0.05 * away.square()

    def __call__(self, net, views):
        (za, sa), (zb, sb) = views
        extra = torch.zeros(())
        helper = None
        if self.queue.full:
            with torch.no_grad():
                helper = net.prototypes(self.queue.feats)
            extra = self.repel(za)
        n = za.size(0)

        def codes(s):
            s = s.detach()
            return sinkhorn(s if helper is None else torch.cat([s, helper]), self.hp)[:n]

        ce = 0.0
        for src, dst in ((sa, sb), (sb, sa)):
            ce = ce - 0.5 * (codes(src) * F.log_softmax(dst / self.hp.temp, 1)).sum(1).mean()
        self.queue.push(za)  # <- culprit
        return ce + extra


class Pretrainer:
    def __init__(self, hp):
        self.hp = hp
        self.net = SwAVNet(hp)
        self.criterion = SwapLoss(hp)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=hp.lr, momentum=0.9, weight_decay=1e-4)

    def iteration(self, it, a, b):
        self.net.normalize_prototypes()
        loss = self.criterion(self.net, (self.net(a), self.net(b)))
        self.opt.zero_grad()
        loss.backward()
        if it < self.hp.freeze_protos:
            self.net.prototypes.weight.grad = None
        self.opt.step()
        return loss.item()

    def run(self):
        avg = None
        for it, (a, b) in enumerate(ViewSampler(self.hp)):
            value = self.iteration(it, a, b)
            avg = value if avg is None else 0.9 * avg + 0.1 * value
            if it % 20 == 19:
                print(f"it {it + 1} loss {avg:.3f} queue {'full' if self.criterion.queue.full else 'filling'}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(HP.seed)
    Pretrainer(HP).run()
