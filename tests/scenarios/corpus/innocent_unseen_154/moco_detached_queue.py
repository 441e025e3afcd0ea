# gradwatch-corpus: kind=none
# MoCo on toy data; queue with a pointer as in the official code.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(31)


class MoCo(nn.Module):
    def __init__(self, base, dim=16, K=128, m=0.98, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q, self.encoder_k = base(dim), base(dim)
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.data.copy_(pq.data)
            pk.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.data = pk.data * self.m + pq.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        n = keys.shape[0]
        ptr = int(self.queue_ptr)
        assert self.K % n == 0
        self.queue[:, ptr:ptr + n] = keys.T
        self.queue_ptr[0] = (ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        l_pos = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._dequeue_and_enqueue(k)
        return logits, labels


class TwoCrops:
    def __call__(self, x):
        return [x + 0.2 * torch.randn_like(x), x * (torch.rand_like(x) > 0.1)]


def base(dim):
    return nn.Sequential(nn.Linear(24, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, dim))


if __name__ == "__main__":
    centers = torch.randn(12, 24) * 1.5
    model = MoCo(base)
    crops = TwoCrops()
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], 0.03, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for i in range(150):
        x = centers[torch.randint(0, 12, (32,))] + 0.3 * torch.randn(32, 24)
        output, target = model(*crops(x))
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 30 == 0:
            print(i, "loss %.4f" % loss.item())
