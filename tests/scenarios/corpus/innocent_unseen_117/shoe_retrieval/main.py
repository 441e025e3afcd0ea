# gradwatch-corpus: kind=none

# shoe photo retrieval (metric learning) with a memory of old embeddings, MoCo-ish / XBM.
# embeddings come out of forward hooks because I don't want to touch the backbone code
import torch
import torch.nn as nn
import torch.nn.functional as F

import hooks
from xbm import CrossBatchMemory, hard_round

torch.set_num_threads(1)
torch.manual_seed(55)

N_SHOES, DIM = 12, 20
proto = torch.randn(N_SHOES, DIM)


def photos(n):
    y = torch.randint(0, N_SHOES, (n,))
    return proto[y] + 0.7 * torch.randn(n, DIM), y


backbone = nn.Sequential(nn.Linear(DIM, 32), nn.ReLU(), nn.Linear(32, 16), nn.BatchNorm1d(16))
head = nn.Linear(16, N_SHOES)
params = list(backbone.parameters()) + list(head.parameters())
optimizer = torch.optim.AdamW(params, lr=2e-3)
grab = hooks.FeatureGrabber(backbone, {'1': 'mid', '3': 'emb'})
memory = CrossBatchMemory(size=256)

ACCUM = 2
running_loss = 0.0
pending = []
archive = []            # embeddings for the umap at the end of training

for step in range(1, 701):
    x, y = photos(16)
    feats_before = len(grab)
    logits = head(backbone(x))
    f = grab.pop()
    emb = F.normalize(f['emb'], dim=1)
    loss = F.cross_entropy(logits, y)
    if len(memory) > 64:
        loss = loss + memory.contrast(emb, y)
    loss = loss + 1e-3 * hard_round(f['mid']).mean()
    (loss / ACCUM).backward()
    pending.append(loss)
    memory.push(emb, y)
    archive.append((emb.detach().clone(), y))

    if step % ACCUM == 0:
        optimizer.step()
        optimizer.zero_grad()
        running_loss += sum(pending) / ACCUM
        pending.clear()
    if step % 100 == 0:
        print(f'[{step:4d}] loss {running_loss.item() / (100 / ACCUM):.3f} mem {len(memory)} hooks {feats_before}')
        running_loss = 0.0

with torch.no_grad():
    backbone.eval()
    q, qy = photos(200)
    backbone(q)
    e = F.normalize(grab.pop()['emb'], dim=1)
    bank = torch.cat([a for a, _ in archive[-40:]])
    lab = torch.cat([b for _, b in archive[-40:]])
    hit = (lab[(e @ bank.T).argmax(1)] == qy).float().mean()
print('recall@1 %.3f' % hit)
