# gradwatch-corpus: kind=none
# contrastive pretraining of tabular rows, momentum encoder and queue, grads summed over 8 mini-batches
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4242)
DIM, K, T, M, ACCUM = 16, 256, 0.2, 0.99, 8
rows = torch.randn(2000, 20) @ torch.randn(20, 20)


def augment(x):
    return x * (torch.rand_like(x) > 0.2) + 0.1 * torch.randn_like(x)


encoder_q = nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Linear(48, DIM))
encoder_k = copy.deepcopy(encoder_q)
for param in encoder_k.parameters():
    param.requires_grad = False

queue = F.normalize(torch.randn(K, DIM), dim=1)
ptr = 0
bank = {}
optimizer = torch.optim.SGD(encoder_q.parameters(), lr=0.03, momentum=0.9)
optimizer.zero_grad()
features = {}


def save_output(module, inputs, output):
    features.setdefault("hidden", []).append(output)


handle = encoder_q[1].register_forward_hook(save_output)

epoch_loss, n = 0., 0
for step in range(640):
    idx = torch.randint(0, len(rows), (32,))
    q = F.normalize(encoder_q(augment(rows[idx])), dim=1)
    with torch.no_grad():
        for pq, pk in zip(encoder_q.parameters(), encoder_k.parameters()):
            pk.mul_(M).add_(pq, alpha=1 - M)
        k = F.normalize(encoder_k(augment(rows[idx])), dim=1)

    l_pos = (q * k).sum(1, keepdim=True)
    l_neg = q @ queue.t()
    logits = torch.cat([l_pos, l_neg], 1) / T
    loss = F.cross_entropy(logits, torch.zeros(32, dtype=torch.long))
    sparsity = torch.cat(features["hidden"]).abs().mean()
    loss = loss + 1e-3 * sparsity
    (loss / ACCUM).backward()
    if (step + 1) % ACCUM == 0:
        optimizer.step()
        optimizer.zero_grad()
    features.clear()

    queue = queue.clone()
    queue[ptr:ptr + 32] = k
    ptr = (ptr + 32) % K
    for i, z in zip(idx.tolist(), q.detach().clone()):
        bank[i % 64] = z
    epoch_loss += loss.item()
    n += 1
    if n == 80:
        print(f"step {step + 1} loss {epoch_loss / n:.4f} bank {len(bank)}")
        epoch_loss, n = 0., 0

handle.remove()
