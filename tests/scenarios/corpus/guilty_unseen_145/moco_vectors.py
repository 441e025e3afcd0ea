# gradwatch-corpus: kind=graph-chain
# holder: moco.key | self.key
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
from torch import nn
from torch.nn import functional as F


class MoCo(nn.Module):
    def __init__(self, d_in=20, hid=16, dim=8, K=64, m=0.99, T=0.2):
        super().__init__()
        self.query = nn.Sequential(nn.Linear(d_in, hid), nn.ReLU(), nn.Linear(hid, dim))
        self.key = {k: v.detach().clone() for k, v in self.query.named_parameters()}
        self.m, self.T = m, T
        self.register_buffer("queue", F.normalize(torch.randn(K, dim), dim=1))
        self.ptr = 0

    def momentum_update(self):
        for name, p in self.query.named_parameters():
            self.key[name] = torch.lerp(self.key[name], p, 1 - self.m)  # <- culprit

    @torch.no_grad()
    def enqueue(self, keys):
        n = len(keys)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % len(self.queue)

    def forward(self, im_q, im_k):
        self.momentum_update()
        q = F.normalize(self.query(im_q), dim=1)
        k = F.normalize(torch.func.functional_call(self.query, self.key, (im_k,)), dim=1)
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ self.queue.clone().t()
        logits = torch.cat([l_pos, l_neg], 1) / self.T
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def two_crops(n=8):
    centre = torch.randn(n, 20)
    return centre + 0.2 * torch.randn(n, 20), centre + 0.2 * torch.randn(n, 20)


def main():
    torch.manual_seed(21)
    moco = MoCo()
    sgd = torch.optim.SGD(moco.query.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
    for step in range(300):
        loss = moco(*two_crops())
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        if step % 75 == 0:
            print("step", step, "loss", round(loss.item(), 3))


if __name__ == "__main__":
    main()
