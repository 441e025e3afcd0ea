# gradwatch-corpus: kind=none
# after: facebookresearch/moco (queue buffer, momentum encoder), KevinMusgrave/pytorch-metric-learning #54 (detached memory)
# %% leaf photographs, self-supervised, momentum contrast with a queue
import copy, math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)

# %%
class MoCo(nn.Module):
    def __init__(self, base, dim=32, K=512, m=0.99, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = base
        self.encoder_k = copy.deepcopy(base)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.ptr = 0

    @torch.no_grad()
    def _momentum(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.ptr:self.ptr + n] = keys.T
        self.ptr = (self.ptr + n) % self.K

    def forward(self, a, b):
        q = F.normalize(self.encoder_q(a), dim=1)
        with torch.no_grad():
            self._momentum()
            k = F.normalize(self.encoder_k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().detach()
        logits = torch.cat([pos, neg], 1) / self.T
        self._enqueue(k)
        return logits

# %%
def encoder():
    return nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(),
                         nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(128, 32))

def augment(x):
    if torch.rand(()) < 0.5:
        x = x.flip(-1)
    return x * (0.8 + 0.4 * torch.rand(len(x), 3, 1, 1)) + 0.05 * torch.randn_like(x)

model = MoCo(encoder())
opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
history = {"loss": [], "acc": [], "lr": []}
STEPS = 100
for step in range(STEPS):
    for g in opt.param_groups:
        g["lr"] = 0.03 * 0.5 * (1 + math.cos(math.pi * step / STEPS))
    img = torch.rand(32, 3, 24, 24)
    logits = model(augment(img), augment(img))
    target = torch.zeros(len(img), dtype=torch.long)
    loss = F.cross_entropy(logits, target)
    opt.zero_grad(); loss.backward(); opt.step()
    history["loss"].append(loss.item())
    history["acc"].append((logits.argmax(1) == 0).float().mean().item())
    history["lr"].append(opt.param_groups[0]["lr"])

print({k: round(v[-1], 4) for k, v in history.items()})
