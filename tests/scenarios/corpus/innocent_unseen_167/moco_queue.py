# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(31)


class TwoCrops(Dataset):
    def __init__(self, n=640):
        base = torch.randn(10, 1, 8, 8)
        self.images = base[torch.randint(0, 10, (n,))] + 0.3 * torch.randn(n, 1, 8, 8)

    def __len__(self):
        return len(self.images)

    def augment(self, x):
        if torch.rand(()) < 0.5:
            x = x.flip(-1)
        return x + 0.1 * torch.randn_like(x)

    def __getitem__(self, i):
        return self.augment(self.images[i]), self.augment(self.images[i])


class ConvEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(),
                                      nn.Conv2d(8, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU())
        self.fc = nn.Linear(64, dim)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


class MoCo(nn.Module):
    def __init__(self, dim=16, K=128, m=0.95, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = ConvEncoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.data = pk.data * self.m + pq.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        ptr, n = int(self.queue_ptr), keys.shape[0]
        assert self.K % n == 0
        self.queue[:, ptr:ptr + n] = keys.T
        self.queue_ptr[0] = (ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            idx = torch.randperm(im_k.shape[0])
            k = F.normalize(self.encoder_k(im_k[idx]), dim=1)[torch.argsort(idx)]
        l_pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._dequeue_and_enqueue(k)
        return logits, labels


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum, self.count = self.sum + val * n, self.count + n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


model = MoCo()
optimizer = torch.optim.SGD(model.encoder_q.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
loader = DataLoader(TwoCrops(), batch_size=16, shuffle=True, drop_last=True)
for epoch in range(3):
    losses, top1 = AverageMeter(), AverageMeter()
    for im_q, im_k in loader:
        output, target = model(im_q, im_k)
        loss = F.cross_entropy(output, target)
        losses.update(loss.item(), im_q.size(0))
        top1.update((output.argmax(1) == target).float().mean().item(), im_q.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {losses.avg:.3f} acc@1 {top1.avg:.2f}")
