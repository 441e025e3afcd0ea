# gradwatch-corpus: kind=none
"""kernel v3: leaf shape classifier with SAM + SWA + hand written gradient accumulation. upvote if useful :)"""
import torch, random, copy
import torch.nn as nn
import torch.nn.functional as F

random.seed(42); torch.manual_seed(42)

CFG = dict(classes=5, size=10, bs=12, accum=3, rho=0.04, lr=0.05, steps=210, swa_from=120)

# ---------- fake leaves ----------
proto = torch.randn(CFG['classes'], 1, CFG['size'], CFG['size'])
def get_batch(n):
    y = torch.randint(0, CFG['classes'], (n,))
    x = proto[y] + 1.3*torch.randn(n, 1, CFG['size'], CFG['size'])
    return x, y

# ---------- model ----------
def conv_bn(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.GroupNorm(2, o), nn.ReLU())
model = nn.Sequential(conv_bn(1, 8), nn.MaxPool2d(2), conv_bn(8, 16), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(64, CFG['classes']))
swa = copy.deepcopy(model)
for p in swa.parameters(): p.requires_grad_(False)
swa_n = 0
opt = torch.optim.SGD(model.parameters(), lr=CFG['lr'], momentum=0.9)

def window_loss(batches):
    # the whole window in one graph, one backward for all of its micro batches
    total = 0
    parts = []
    for x, y in batches:
        l = F.cross_entropy(model(x), y)
        total = total + l
        parts.append(l)
    return total / len(batches), parts

hist = []
grad_norms = []
for step in range(CFG['steps']):
    batches = [get_batch(CFG['bs']) for _ in range(CFG['accum'])]

    # first pass
    opt.zero_grad()
    loss, parts = window_loss(batches)
    spread = torch.stack(parts).std()
    (loss + 0.1*spread).backward()

    # climb
    with torch.no_grad():
        gn = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
        eps = []
        for p in model.parameters():
            e = CFG['rho'] * p.grad / (gn + 1e-12)
            p.add_(e)
            eps.append(e)

    # second pass at the perturbed point
    opt.zero_grad()
    loss2, parts2 = window_loss(batches)
    loss2.backward()
    with torch.no_grad():
        for p, e in zip(model.parameters(), eps): p.sub_(e)
    opt.step()

    hist.append(loss.item())
    grad_norms.append(float(gn))

    if step >= CFG['swa_from'] and step % 5 == 0:
        with torch.no_grad():
            for a, b in zip(swa.parameters(), model.parameters()):
                a.mul_(swa_n/(swa_n+1)).add_(b, alpha=1/(swa_n+1))
        swa_n += 1

    if step % 40 == 0:
        print('step', step, 'loss', round(sum(hist[-40:])/len(hist[-40:]), 4), '| gnorm', round(grad_norms[-1], 3), '| spread', round(spread.item(), 3))

# ---------- eval ----------
with torch.no_grad():
    x, y = get_batch(500)
    for name, m in (('sgd', model), ('swa', swa)):
        print(name, 'acc', (m(x).argmax(1) == y).float().mean().item())
