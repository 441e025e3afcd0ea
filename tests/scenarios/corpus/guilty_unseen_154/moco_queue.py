# gradwatch-corpus: kind=second-backward
# holder: self.queue | moco.queue | model.queue
# first-bad: 1
"""MoCo v1 re-implementation on toy vectors (single process, no shuffling BN)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)


def encoder(d_in, d_out):
    return nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_out))


class MoCo(nn.Module):
    def __init__(self, d_in, dim=16, K=256, m=0.99, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = encoder(d_in, dim)
        self.encoder_k = encoder(d_in, dim)
        self.encoder_k.load_state_dict(self.encoder_q.state_dict())
        self.register_buffer("queue", F.normalize(torch.randn(K, dim), dim=1))

    @torch.no_grad()
    def momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1 - self.m)

    def enqueue(self, keys):
        self.queue = torch.cat([keys, self.queue])[:self.K]  # <- culprit

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        self.momentum_update()
        k = F.normalize(self.encoder_k(im_k), dim=1)  # <- culprit
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ self.queue.t()
        logits = torch.cat([l_pos, l_neg], 1) / self.T
        self.enqueue(k)  # <- culprit
        return logits, torch.zeros(len(q), dtype=torch.long)


class TwoViews:
    def __init__(self, n_classes=10, dim=20):
        self.centers = torch.randn(n_classes, dim) * 2

    def batch(self, n):
        y = torch.randint(0, len(self.centers), (n,))
        base = self.centers[y] + 0.5 * torch.randn(n, self.centers.shape[1])
        return self.augment(base), self.augment(base)

    @staticmethod
    def augment(x):
        keep = (torch.rand_like(x) > 0.2).float()
        return x * keep + 0.1 * torch.randn_like(x)


def train(steps=200, bs=32):
    data = TwoViews()
    model = MoCo(20)
    opt = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for it in range(steps):
        logits, target = model(*data.batch(bs))
        loss = F.cross_entropy(logits, target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 40 == 0:
            acc = (logits.argmax(1) == target).float().mean().item()
            print(f"iter {it} loss {loss.item():.3f} top1 {acc:.2f}")


if __name__ == "__main__":
    train()
