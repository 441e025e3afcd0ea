# gradwatch-corpus: kind=none
# ad copy ranking, single model + memory bank. CV 0.7634 / LB 0.7601
import random
from collections import OrderedDict, defaultdict, deque
import torch, torch.nn as nn, torch.nn.functional as F

torch.set_num_threads(1)
random.seed(0); torch.manual_seed(0)

VOCAB, LEN, DIM = 80, 8, 24
N_CAMPAIGN = 40
SLATE = 6
MICRO = 4
N_ITERS = 200
BANK_SIZE = 6
EMA = 0.97

G = torch.Generator().manual_seed(99)
TRUE_W = torch.randn(VOCAB, generator=G)

class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.camp = nn.Embedding(N_CAMPAIGN, DIM)
        self.f = nn.Sequential(nn.Linear(2 * DIM, DIM), nn.ReLU(), nn.Dropout(0.1), nn.Linear(DIM, 1))
    def encode(self, tok):
        return self.emb(tok).mean(-2)
    def forward(self, camp, tok):
        z = self.encode(tok)
        c = self.camp(camp).unsqueeze(1).expand_as(z)
        return self.f(torch.cat([z, c], -1)).squeeze(-1), z

net = Ranker()
opt = torch.optim.AdamW([
    {"params": net.emb.parameters(), "lr": 1e-2},
    {"params": list(net.camp.parameters()) + list(net.f.parameters()), "lr": 3e-3},
])
sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, N_ITERS)

BANK = deque(maxlen=BANK_SIZE)          # embeddings of past slates
CENTER = torch.zeros(DIM)               # running mean of embeddings
PARTS = []                              # losses of the running accumulation
BY_CAMP = defaultdict(float)
LAST = OrderedDict()                    # most recent scores by campaign
CURVE = []

def slate():
    camp = torch.randint(N_CAMPAIGN, (8,))
    tok = torch.randint(VOCAB, (8, SLATE, LEN))
    gain = TRUE_W[tok].mean(-1) + 0.1 * torch.randn(8, SLATE)
    return camp, tok, gain.argsort(1).argsort(1).float()

def lambda_loss(s, rel):
    ds = s.unsqueeze(2) - s.unsqueeze(1)
    dr = rel.unsqueeze(2) - rel.unsqueeze(1)
    order = s.argsort(1, descending=True).argsort(1).float()
    disc = 1 / torch.log2(order + 2)
    w = (dr.abs() * (disc.unsqueeze(2) - disc.unsqueeze(1)).abs()).detach()
    return (F.softplus(-ds) * w * (dr > 0)).sum((1, 2)).mean() / SLATE

def bank_loss(z):
    if len(BANK) < 2:
        return z.new_zeros(())
    old = torch.cat(list(BANK))
    sim = F.normalize(z.flatten(0, 1) - CENTER, dim=-1) @ F.normalize(old - CENTER, dim=-1).T
    return torch.logsumexp(sim / 0.5, 1).mean() * 0.01

def remember(camp, s, z):
    global CENTER
    flat = z.flatten(0, 1).detach()
    BANK.append(flat)
    CENTER = EMA * CENTER + (1 - EMA) * flat.mean(0)
    for c, row in zip(camp.tolist(), s.detach()):
        BY_CAMP[c] = 0.9 * BY_CAMP[c] + 0.1 * row.std().item()
        LAST[c] = row
        LAST.move_to_end(c)
        while len(LAST) > 16:
            LAST.popitem(last=False)

def stability(camp, s):
    keep = [i for i, c in enumerate(camp.tolist()) if c in LAST]
    if not keep:
        return s.new_zeros(())
    old = torch.stack([LAST[camp[i].item()] for i in keep])
    return 0.01 * (s[keep].mean(1) - old.mean(1)).square().mean()

@torch.no_grad()
def ndcg(n=4):
    net.eval()
    tot = 0.0
    for _ in range(n):
        camp, tok, rel = slate()
        s, _z = net(camp, tok)
        d = 1 / torch.log2(torch.arange(SLATE) + 2.0)
        got = (rel.gather(1, s.argsort(1, descending=True)) * d).sum(1)
        tot += (got / (rel.sort(1, descending=True).values * d).sum(1)).mean().item()
    net.train()
    return tot / n

micro = 0
for it in range(N_ITERS):
    while len(PARTS) < MICRO:
        camp, tok, rel = slate()
        s, z = net(camp, tok)
        PARTS.append(lambda_loss(s, rel) + bank_loss(z) + stability(camp, s))
        remember(camp, s, z)
        micro += 1
    total = torch.stack(PARTS).mean()
    opt.zero_grad()
    total.backward()
    opt.step()
    sched.step()
    PARTS.clear()
    CURVE.append(total.detach())
    if it % 40 == 0:
        print(it, micro, round(torch.stack(CURVE[-40:]).mean().item(), 4), "ndcg", round(ndcg(), 4))

print("final", round(ndcg(10), 4), "widest", max(BY_CAMP, key=BY_CAMP.get))
