# gradwatch-corpus: kind=none
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(120)


class MoCo(nn.Module):
    def __init__(self, dim=8, K=96, m=0.98, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = nn.Sequential(nn.Linear(14, 24), nn.ReLU(), nn.Linear(24, dim))
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        ptr = int(self.queue_ptr)
        self.queue[:, ptr:ptr + keys.size(0)] = keys.t()
        self.queue_ptr[0] = (ptr + keys.size(0)) % self.K

    def forward(self, a, b):
        q = F.normalize(self.encoder_q(a), dim=1)
        with torch.no_grad():
            self._momentum_update()
            k = F.normalize(self.encoder_k(b), dim=1)
        pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        self._dequeue_and_enqueue(k)
        return torch.cat([pos, neg], 1) / self.T, torch.zeros(a.size(0), dtype=torch.long)


proto = torch.randn(12, 14)
model = MoCo()
opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
probe = nn.Linear(8, 12)
probe_opt = torch.optim.Adam(probe.parameters(), lr=1e-2)

top1 = 0.0
for it in range(600):
    which = torch.randint(0, 12, (16,))
    base = proto[which] + 0.3 * torch.randn(16, 14)
    out, tgt = model(base + 0.2 * torch.randn_like(base), base + 0.2 * torch.randn_like(base))
    loss = F.cross_entropy(out, tgt)
    opt.zero_grad()
    loss.backward()
    opt.step()

    feats = model.encoder_q(base).detach()
    probe_loss = F.cross_entropy(probe(feats), which)
    probe_opt.zero_grad()
    probe_loss.backward()
    probe_opt.step()
    top1 = 0.97 * top1 + 0.03 * (probe(feats).argmax(1) == which).float().mean().item()
    if it % 100 == 0:
        print(it, loss.item(), probe_loss.item(), top1)
